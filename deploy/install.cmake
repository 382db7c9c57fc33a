# What "cmake --install" puts where. Card sets and munchbot-crypto are found from where the program lies, so any prefix will do;
# systemd looks for the program and its own files in /usr and /usr/local.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME munchbot)
option(MB_PACKAGE "for Debian's packages" OFF)
set(MB_ZSH_DIR site-functions)
if(MB_PACKAGE)
  set(MB_ZSH_DIR vendor-completions) # where Debian's zsh looks in /usr
endif()

# Manual pages and completions are made of the tables that arguments are read by.
add_executable(munchbot_manual bot/cmd/manual.c)
target_link_libraries(munchbot_manual PRIVATE mb_bot)
target_compile_definitions(munchbot_manual PRIVATE MB_VERSION="${PROJECT_VERSION}")
set(MB_MANUAL ${PROJECT_BINARY_DIR}/manual)
add_custom_command(
  OUTPUT ${MB_MANUAL}/munchbot.1.gz
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${MB_MANUAL}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${MB_MANUAL}
  COMMAND munchbot_manual ${MB_MANUAL} ${PROJECT_SOURCE_DIR}/config/munchbot.example.conf
  COMMAND sh -c "gzip -9n ${MB_MANUAL}/*.[15]"
  DEPENDS munchbot_manual config/munchbot.example.conf
  VERBATIM
)
add_custom_target(manual ALL DEPENDS ${MB_MANUAL}/munchbot.1.gz)

install(TARGETS munchbot)
install(PROGRAMS ${PROJECT_BINARY_DIR}/munchbot-crypto TYPE BIN COMPONENT crypto OPTIONAL)
install(DIRECTORY cards DESTINATION ${CMAKE_INSTALL_DATADIR}/munchbot)
foreach(example munchbot discord matrix both)
  install(FILES config/${example}.example.conf TYPE DOC)
endforeach()
install(DIRECTORY deploy/monitoring TYPE DOC)
install(DIRECTORY ${MB_MANUAL}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1.gz")
install(DIRECTORY ${MB_MANUAL}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 FILES_MATCHING PATTERN "*.5.gz")
install(FILES ${MB_MANUAL}/munchbot.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME munchbot)
install(FILES ${MB_MANUAL}/_munchbot DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${MB_ZSH_DIR})
install(FILES deploy/munchbot.service DESTINATION lib/systemd/system)
install(FILES deploy/munchbot.sysusers DESTINATION lib/sysusers.d RENAME munchbot.conf)
install(FILES deploy/munchbot.tmpfiles DESTINATION lib/tmpfiles.d RENAME munchbot.conf)
if(MB_PACKAGE)
  include(deploy/package.cmake)
endif()

# What "cpack --preset package" makes: packages of the Debian that it runs on, the same to the byte whatever folder and hour they are
# made in, if the umask is the same. munchbot-crypto is a package of its own, made if it was built ("cmake --build --preset package --target crypto").
file(STRINGS /etc/os-release release REGEX "^(ID|VERSION_ID)=")
string(REGEX REPLACE ".*(^|;)ID=([^;]*).*" "\\2" id "${release}")
string(REGEX REPLACE ".*VERSION_ID=\"?([^;\"]*).*" "\\1" number "${release}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME munchbot)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# A newer Debian's package is the newer one.
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}+${id}${number})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "munchbot's contributors <maintainers@munchbot.example>")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_SET_DESTDIR ON) # /etc is in no prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/deploy/package-now.cmake)
set(CPACK_MB_CRYPTO ${PROJECT_BINARY_DIR}/munchbot-crypto)

set(CPACK_DEBIAN_MUNCHBOT_PACKAGE_NAME munchbot)
set(CPACK_COMPONENT_MUNCHBOT_DESCRIPTION
    "bot that deals Munchkin-style card games
A group plays in a Discord channel or a Matrix room, where only you see your
hand, or at a terminal, against bot players or with several people.
.
The service starts once its operator has written a token into
/etc/credstore and a network into /etc/munchbot/munchbot.conf."
)
# libwebsockets loads its libuv part by name.
set(CPACK_DEBIAN_MUNCHBOT_PACKAGE_DEPENDS
    "ca-certificates, libwebsockets-evlib-uv, procps, systemd | systemd-standalone-sysusers | systemd-sysusers"
)
set(CPACK_DEBIAN_MUNCHBOT_PACKAGE_SUGGESTS "munchbot-crypto, postgresql")
set(scripts conffiles postinst postrm prerm)
list(TRANSFORM scripts PREPEND ${PROJECT_SOURCE_DIR}/deploy/debian/)
set(CPACK_DEBIAN_MUNCHBOT_PACKAGE_CONTROL_EXTRA ${scripts})

set(CPACK_DEBIAN_CRYPTO_PACKAGE_NAME munchbot-crypto)
set(CPACK_COMPONENT_CRYPTO_DESCRIPTION
    "encrypted Matrix rooms for munchbot
The helper program with which munchbot reads and writes encrypted rooms."
)
set(CPACK_DEBIAN_CRYPTO_PACKAGE_DEPENDS "munchbot (= ${CPACK_DEBIAN_PACKAGE_VERSION})")
include(CPack)

install(FILES config/munchbot.example.conf DESTINATION /etc/munchbot RENAME munchbot.conf)
configure_file(deploy/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog @ONLY)
execute_process(COMMAND gzip -9nf changelog WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)
foreach(component munchbot crypto)
  string(REPLACE crypto munchbot-crypto package ${component})
  install(
    FILES ${PROJECT_BINARY_DIR}/changelog.gz deploy/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component}
  )
endforeach()

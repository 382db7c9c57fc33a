# Read by cpack itself: which packages there are, and of when they are.
set(CPACK_COMPONENTS_ALL munchbot)
if(EXISTS ${CPACK_MB_CRYPTO})
  list(APPEND CPACK_COMPONENTS_ALL crypto)
endif()
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  get_filename_component(folder ${CPACK_MB_CRYPTO} DIRECTORY)
  execute_process(
    COMMAND dpkg-parsechangelog -S Timestamp -l ${folder}/changelog.gz OUTPUT_VARIABLE when OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY
  )
  set(ENV{SOURCE_DATE_EPOCH} ${when})
endif()

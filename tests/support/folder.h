/*
 * A folder of its own for a test that needs files; what fails here fails the test.
 */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

enum { FOLDER_PATH_SIZE = 256 };

/** An empty one. */
void folder_make(char path[FOLDER_PATH_SIZE]);
/** The path of something in it. */
void folder_in(const char *folder, const char *name, char out[FOLDER_PATH_SIZE]);
/** With the files that are in it. */
void folder_remove(const char *path);

#endif

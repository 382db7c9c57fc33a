/*
 * The scene of some words, for tests of what is made of one. A test has one at a time.
 */
#ifndef TESTS_SUPPORT_SEE_H
#define TESTS_SUPPORT_SEE_H

#include "bot/render/scene.h"

#include "tests/support/test.h"

static inline struct scene *see(const struct table_words *words, enum scene_says says)
{
    static struct scene *scene;
    if (scene == NULL) {
        scene = scene_create();
        assert_non_null(scene);
    }
    scene_make(scene, words, says);
    return scene;
}

#endif

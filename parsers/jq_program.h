/* jq programs by libjq: compiled once, when first run, on trees that keep digits, without a way to the outside. Inside parsers/ only. */
#ifndef GT_PARSERS_JQ_PROGRAM_H
#define GT_PARSERS_JQ_PROGRAM_H

#include "common/conf.h"
#include "parsers/jnode.h"

enum {
    JQ_PROGRAM_BYTES_MAX = 32 * 1024,
    JQ_RESULTS_MAX = 20000, /* of one run: LISTINGS_MAX rows and no endless generator */
};

struct jq_program;

/* Keeps a program, which is compiled when it is first asked for: libjq compiles its own library each time, 23 ms that a site whose page did
 * not change need not spend. GT_OK; GT_ECONF for one that is too long; GT_ENOMEM. Free with jq_program_free. */
enum gt_err jq_program_new(const struct conf_value *origin, struct jq_program **ret_program, struct gt_errinfo *info);

/* Where it stands, for errors about what it yields. */
const struct conf_value *jq_program_origin(const struct jq_program *program);

/* Compiles it unless it is. Out of its reach: now, localtime, env, $ENV, input, inputs, debug, stderr, input_filename,
 * input_line_number, halt, get_search_list, import, include and ~/.jq (the environment is empty while libjq compiles, so this
 * is no call for several threads at once). GT_OK; GT_ECONF with file:line; GT_ENOMEM. */
enum gt_err jq_program_compile(struct jq_program *program, struct gt_errinfo *info);

/* NULL is accepted. */
void jq_program_free(struct jq_program *program);

/* Starts the program on a value. Numbers that a double would not keep (jnode_needs_text) reach it as strings. As jq_program_compile. */
enum gt_err jq_program_start(struct jq_program *program, const struct jnode *input, struct gt_errinfo *info);

/* The next result; *ret_node is NULL at the end. Objects have their keys in byte order. Time is bounded by the jail that a
 * parser runs in: libjq has no limit of its own. GT_OK; GT_EFORMAT when the program raised an error (the page is not what it
 * expects); GT_ELIMIT past JQ_RESULTS_MAX or the arena. */
enum gt_err jq_program_next(struct jq_program *program, struct arena *arena, struct jnode **ret_node, struct gt_errinfo *info);

#endif

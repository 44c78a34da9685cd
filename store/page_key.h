/* The rows of record places in the table "pages", for those who write and check them. */
#ifndef GT_STORE_PAGE_KEY_H
#define GT_STORE_PAGE_KEY_H

#include "store/key.h"
#include "store/pages.h"

enum { PAGE_KEY_MARK = 'r', UUID_BYTES = 16, PAGE_ID_BYTES = 9 + 36 };

/* The key of a record id. False when it is no "urn:uuid:…" in lower case. */
bool page_key_make(struct gt_str record_id, struct key *ret_key);

/* Reads a value: all but id and file, which is a text's number. GT_OK; GT_ECORRUPT. */
enum gt_err dec_page_place(struct gt_str bytes, uint32_t *ret_file, struct page_place *place);

#endif

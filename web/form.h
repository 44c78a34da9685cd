/* The form of what a page can be asked: one field for each parameter that its route takes. */
#ifndef GT_WEB_FORM_H
#define GT_WEB_FORM_H

#include "reports/sink_writer.h"
#include "web/route.h"

/* Writes it with what was asked; nothing where the page takes no fields. */
void web_form_write(struct sink_writer *writer, const struct web_view *view);

#endif

/* Files that are part of the program. */
#ifndef GT_WEB_ASSET_H
#define GT_WEB_ASSET_H

#include "common/str.h"

/* The style sheet of the pages (added to that of the reports), their script, their icon, the API's description. Static storage. */
struct gt_str web_asset_style(void);
struct gt_str web_asset_script(void);
struct gt_str web_asset_icon(void);
struct gt_str web_asset_openapi(void);

#endif

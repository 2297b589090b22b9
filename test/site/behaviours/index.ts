import type { Behaviour } from "../behaviour.ts";
import { articles } from "./articles.ts";
import { charsets } from "./charsets.ts";
import { compression } from "./compression.ts";
import { crawling } from "./crawling.ts";
import { documents } from "./documents.ts";
import { files } from "./files.ts";
import { redirects } from "./redirects.ts";
import { requests } from "./requests.ts";
import { slow } from "./slow.ts";
import { statuses } from "./statuses.ts";
import { walls } from "./walls.ts";

/** All behaviours. Exact paths win over "/*"; among those the first wins. */
export const behaviours: readonly Behaviour[] = [
  ...articles,
  ...documents,
  ...files,
  ...charsets,
  ...statuses,
  ...walls,
  ...requests,
  ...redirects,
  ...compression,
  ...slow,
  ...crawling,
];

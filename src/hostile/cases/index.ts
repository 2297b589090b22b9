// All cases in order: passive ones first, those that may crash the target last. Each case is the
// file of its name.
import type { HostileCase } from "../hostile-case.ts";
import { bombBr } from "./bombs/bomb-br.ts";
import { bombDeflate } from "./bombs/bomb-deflate.ts";
import { bombGzip } from "./bombs/bomb-gzip.ts";
import { bombGzipGzip } from "./bombs/bomb-gzip-gzip.ts";
import { bombZstd } from "./bombs/bomb-zstd.ts";
import { brokenAnswers } from "./network/broken-answers.ts";
import { challengePage } from "./content/challenge-page.ts";
import { consoleEscapes } from "./browser/console-escapes.ts";
import { consoleMany } from "./browser/console-many.ts";
import { consoleText } from "./browser/console-text.ts";
import { dialogStorm } from "./browser/dialog-storm.ts";
import { dnsNames } from "./ssrf/dns-names.ts";
import { endlessBody } from "./network/endless-body.ts";
import { endlessScript } from "./browser/endless-script.ts";
import { endlessTree } from "./browser/endless-tree.ts";
import { fileDocxBomb } from "./files/file-docx-bomb.ts";
import { fileDocxEntities } from "./files/file-docx-entities.ts";
import { fileEpubBomb } from "./files/file-epub-bomb.ts";
import { filePdfLoop } from "./files/file-pdf-loop.ts";
import { filePdfPicture } from "./files/file-pdf-picture.ts";
import { filePdfStream } from "./files/file-pdf-stream.ts";
import { fileXlsxEntries } from "./files/file-xlsx-entries.ts";
import { fileXmlEntities } from "./files/file-xml-entities.ts";
import { fileXmlExternal } from "./files/file-xml-external.ts";
import { fileZipNested } from "./files/file-zip-nested.ts";
import { frameStorm } from "./browser/frame-storm.ts";
import { headerInjection } from "./network/header-injection.ts";
import { headerLeak } from "./network/header-leak.ts";
import { hiddenOrders } from "./content/hidden-orders.ts";
import { markupAttributes } from "./markup/markup-attributes.ts";
import { markupDeepLists } from "./markup/markup-deep-lists.ts";
import { markupDeepTree } from "./markup/markup-deep-tree.ts";
import { markupEmphasis } from "./markup/markup-emphasis.ts";
import { markupEntities } from "./markup/markup-entities.ts";
import { markupLinks } from "./markup/markup-links.ts";
import { markupNestedTables } from "./markup/markup-nested-tables.ts";
import { markupOneWord } from "./markup/markup-one-word.ts";
import { markupOpenComments } from "./markup/markup-open-comments.ts";
import { markupOpenFormatting } from "./markup/markup-open-formatting.ts";
import { markupOpenTags } from "./markup/markup-open-tags.ts";
import { markupSelectors } from "./markup/markup-selectors.ts";
import { markupWhiteSpace } from "./markup/markup-white-space.ts";
import { markupWideTree } from "./markup/markup-wide-tree.ts";
import { memoryEater } from "./browser/memory-eater.ts";
import { navigationStorm } from "./browser/navigation-storm.ts";
import { ownApi } from "./ssrf/own-api.ts";
import { popupStorm } from "./browser/popup-storm.ts";
import { silentServer } from "./network/silent-server.ts";
import { slowBody } from "./network/slow-body.ts";
import { slowHeaders } from "./network/slow-headers.ts";
import { soft404 } from "./content/soft-404.ts";
import { ssrfBrowser } from "./ssrf/ssrf-browser.ts";
import { ssrfCrawl } from "./ssrf/ssrf-crawl.ts";
import { ssrfRedirects } from "./ssrf/ssrf-redirects.ts";
import { ssrfSpellings } from "./ssrf/ssrf-spellings.ts";
import { titleFlood } from "./browser/title-flood.ts";
import { trapCalendar } from "./traps/trap-calendar.ts";
import { trapGrowingPaths } from "./traps/trap-growing-paths.ts";
import { trapSessions } from "./traps/trap-sessions.ts";
import { trapSitemaps } from "./traps/trap-sitemaps.ts";

export const CASES: readonly HostileCase[] = [
  ssrfSpellings,
  ssrfRedirects,
  ssrfCrawl,
  ssrfBrowser,
  dnsNames,
  ownApi,
  headerInjection,
  headerLeak,
  hiddenOrders,
  challengePage,
  soft404,
  brokenAnswers,
  endlessBody,
  slowBody,
  slowHeaders,
  silentServer,
  trapCalendar,
  trapSessions,
  trapGrowingPaths,
  trapSitemaps,
  markupDeepTree,
  markupWideTree,
  markupDeepLists,
  markupNestedTables,
  markupOpenFormatting,
  markupOpenTags,
  markupOpenComments,
  markupAttributes,
  markupEmphasis,
  markupWhiteSpace,
  markupEntities,
  markupLinks,
  markupOneWord,
  markupSelectors,
  bombGzip,
  bombDeflate,
  bombBr,
  bombZstd,
  bombGzipGzip,
  filePdfStream,
  filePdfLoop,
  filePdfPicture,
  fileDocxBomb,
  fileDocxEntities,
  fileXlsxEntries,
  fileEpubBomb,
  fileZipNested,
  fileXmlEntities,
  fileXmlExternal,
  consoleText,
  consoleEscapes,
  consoleMany,
  titleFlood,
  memoryEater,
  endlessScript,
  endlessTree,
  popupStorm,
  dialogStorm,
  navigationStorm,
  frameStorm,
];

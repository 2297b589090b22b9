// All cases in order: passive ones first, those that may crash the target last. Each case is the
// file of its name.
import type { HostileCase } from "../hostile-case.ts";
import { bombBr } from "./bomb-br.ts";
import { bombDeflate } from "./bomb-deflate.ts";
import { bombGzip } from "./bomb-gzip.ts";
import { bombGzipGzip } from "./bomb-gzip-gzip.ts";
import { bombZstd } from "./bomb-zstd.ts";
import { brokenAnswers } from "./broken-answers.ts";
import { challengePage } from "./challenge-page.ts";
import { consoleEscapes } from "./console-escapes.ts";
import { consoleMany } from "./console-many.ts";
import { consoleText } from "./console-text.ts";
import { dialogStorm } from "./dialog-storm.ts";
import { dnsNames } from "./dns-names.ts";
import { endlessBody } from "./endless-body.ts";
import { endlessScript } from "./endless-script.ts";
import { endlessTree } from "./endless-tree.ts";
import { fileDocxBomb } from "./file-docx-bomb.ts";
import { fileDocxEntities } from "./file-docx-entities.ts";
import { fileEpubBomb } from "./file-epub-bomb.ts";
import { filePdfLoop } from "./file-pdf-loop.ts";
import { filePdfPicture } from "./file-pdf-picture.ts";
import { filePdfStream } from "./file-pdf-stream.ts";
import { fileXlsxEntries } from "./file-xlsx-entries.ts";
import { fileXmlEntities } from "./file-xml-entities.ts";
import { fileXmlExternal } from "./file-xml-external.ts";
import { fileZipNested } from "./file-zip-nested.ts";
import { frameStorm } from "./frame-storm.ts";
import { headerInjection } from "./header-injection.ts";
import { headerLeak } from "./header-leak.ts";
import { hiddenOrders } from "./hidden-orders.ts";
import { markupAttributes } from "./markup-attributes.ts";
import { markupDeepLists } from "./markup-deep-lists.ts";
import { markupDeepTree } from "./markup-deep-tree.ts";
import { markupEmphasis } from "./markup-emphasis.ts";
import { markupEntities } from "./markup-entities.ts";
import { markupLinks } from "./markup-links.ts";
import { markupNestedTables } from "./markup-nested-tables.ts";
import { markupOneWord } from "./markup-one-word.ts";
import { markupOpenComments } from "./markup-open-comments.ts";
import { markupOpenFormatting } from "./markup-open-formatting.ts";
import { markupOpenTags } from "./markup-open-tags.ts";
import { markupSelectors } from "./markup-selectors.ts";
import { markupWhiteSpace } from "./markup-white-space.ts";
import { markupWideTree } from "./markup-wide-tree.ts";
import { memoryEater } from "./memory-eater.ts";
import { navigationStorm } from "./navigation-storm.ts";
import { ownApi } from "./own-api.ts";
import { popupStorm } from "./popup-storm.ts";
import { silentServer } from "./silent-server.ts";
import { slowBody } from "./slow-body.ts";
import { slowHeaders } from "./slow-headers.ts";
import { soft404 } from "./soft-404.ts";
import { ssrfBrowser } from "./ssrf-browser.ts";
import { ssrfCrawl } from "./ssrf-crawl.ts";
import { ssrfRedirects } from "./ssrf-redirects.ts";
import { ssrfSpellings } from "./ssrf-spellings.ts";
import { titleFlood } from "./title-flood.ts";
import { trapCalendar } from "./trap-calendar.ts";
import { trapGrowingPaths } from "./trap-growing-paths.ts";
import { trapSessions } from "./trap-sessions.ts";
import { trapSitemaps } from "./trap-sitemaps.ts";

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

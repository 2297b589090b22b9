// All cases in order: passive ones first, those that may crash the target last.
import type { HostileCase } from "../hostile-case.ts";
import { bombs } from "./bombs.ts";
import { brokenAnswers } from "./broken-answers.ts";
import { browserFloods } from "./browser-floods.ts";
import { crawlTraps } from "./crawl-traps.ts";
import { dnsNames } from "./dns-names.ts";
import { documentBombs } from "./document-bombs.ts";
import { falseContent } from "./false-content.ts";
import { headerInjection } from "./header-injection.ts";
import { headerLeak } from "./header-leak.ts";
import { hiddenOrders } from "./hidden-orders.ts";
import { markupTraps } from "./markup-traps.ts";
import { ownApi } from "./own-api.ts";
import { slowBodies } from "./slow-bodies.ts";
import { ssrfBrowser } from "./ssrf-browser.ts";
import { ssrfCrawl } from "./ssrf-crawl.ts";
import { ssrfRedirects } from "./ssrf-redirects.ts";
import { ssrfSpellings } from "./ssrf-spellings.ts";

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
  ...falseContent,
  brokenAnswers,
  ...slowBodies,
  ...crawlTraps,
  ...markupTraps,
  ...bombs,
  ...documentBombs,
  ...browserFloods,
];

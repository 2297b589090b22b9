// Bot checks, logins, error pages and shells, and similar pages with content, each with and without
// status and headers, which archives lose.
import { describe, expect, it } from "vitest";
import { BLOCKED_PAGES } from "../../../test/verdict/blocked-pages.ts";
import { CONTENT_PAGES } from "../../../test/verdict/content-pages.ts";
import { OTHER_PAGES } from "../../../test/verdict/other-pages.ts";
import type { SamplePage } from "../../../test/verdict/sample-page.ts";
import { readEvidence } from "./evidence.ts";
import { parseHtml } from "../parse/parse.ts";
import { judge, judgeRendered, type Verdict } from "./verdict.ts";

const PAGES = [...BLOCKED_PAGES, ...OTHER_PAGES, ...CONTENT_PAGES].map(
  (page) => [page.name, page] as const,
);
const collectSampleEvidence = ({ html }: SamplePage) => readEvidence(parseHtml(html));
const judgeAnsweredPage = (page: SamplePage): Verdict =>
  judge(page.status, collectSampleEvidence(page), page.html.length, page.headers);
const judgeArchivedPage = (page: SamplePage): Verdict =>
  judge(200, collectSampleEvidence(page), page.html.length);

describe("verdict on sample pages", () => {
  it.each(PAGES)("gives the right verdict with status and headers: %s", (_, page) => {
    const { kind, certain = false } = judgeAnsweredPage(page);
    expect({ kind, certain }).toEqual({ kind: page.verdict, certain: page.certain ?? false });
  });

  it.each(PAGES)("gives the right verdict without status and headers: %s", (_, page) => {
    expect(judgeArchivedPage(page).kind).toBe(page.archived ?? page.verdict);
  });

  it.each(CONTENT_PAGES.map((page) => [page.name, page] as const))(
    "gives the verdict content in a browser: %s",
    (_, page) => {
      expect(judgeRendered(200, collectSampleEvidence(page), page.html.length).kind).toBe(
        "content",
      );
    },
  );
});

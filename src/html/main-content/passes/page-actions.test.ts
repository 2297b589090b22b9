import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { readText } from "../../parse/tree.ts";
import { findMainContent } from "../find-main-content.ts";
import { isAgreement, isFilterHeading, isPageAction } from "./page-actions.ts";

describe("page actions", () => {
  it("recognizes links that operate the page, in many languages", () => {
    for (const text of [
      "Edit this page on GitHub",
      "View all jobs",
      "← Back to results",
      "Report this listing",
      "Seite bearbeiten",
      "Alle Stellen anzeigen",
      "Voir tout",
      "Ver todo",
      "Показать все",
      "一覧に戻る",
      "查看全部",
      "목록",
      "عرض الكل",
      "Xem tất cả",
    ])
      // prettier-ignore
      expect(isPageAction(text), text).toBe(true);
  });

  it("keeps links that name something", () => {
    for (const text of [
      "All about sails",
      "Backpack",
      "Editor in chief",
      "Viewpoint",
      "Print media",
      "Download the report",
    ])
      expect(isPageAction(text), text).toBe(false);
  });

  it("recognizes agreements and headings of filters, not sentences that begin alike", () => {
    expect(isAgreement("By submitting you accept our terms.")).toBe(true);
    expect(isAgreement("By 1840 the mill was closed.")).toBe(false);
    expect(isFilterHeading("Filter by")).toBe(true);
    expect(isFilterHeading("Filtern nach:")).toBe(true);
    expect(isFilterHeading("Filters for espresso machines")).toBe(false);
  });

  const read = (body: string): string => {
    const root = parseHtml(`<title>Shelf brackets</title><body><main>${body}</main>`);
    findMainContent(root, { url: "https://example.org/a" });
    return readText(root);
  };

  it("drops filters, their labels and the agreement of a form, and keeps a poll", () => {
    const text = read(
      `<h1>Shelf brackets</h1><form><h3>Filter by</h3><label><input type="checkbox"> Under £10</label>
       <button>Clear filters</button></form><ul><li>Oak bracket, £12.50, in stock<li>Iron bracket, £9.00, sold out</ul>
       <form><h2>Which bracket do you own?</h2><label><input type="radio"> Oak</label><label><input type="radio"> Iron</label></form>
       <form><p>Ask us about sizes.</p><button>Send</button><p>By sending you accept the terms.</p></form>`,
    );
    expect(text).not.toMatch(/Filter by|Under £10|By sending/);
    expect(text).toMatch(/Oak bracket, £12.50/);
    expect(text).toMatch(/Which bracket do you own/);
  });
});

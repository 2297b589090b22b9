import { describe, expect, it } from "vitest";
import { exportTarget, findViewerTarget } from "./http-viewer.ts";

const at = (html: string, url = "https://a.example/docs/page"): string | undefined =>
  findViewerTarget(Buffer.from(`<!doctype html><title>Report</title>${html}`), new URL(url))?.href;

describe("document viewer pages", () => {
  it.each([
    ["an embed", '<embed src="report.pdf#toolbar=0" type="application/pdf">', "/docs/report.pdf"],
    [
      "an embed by its type",
      '<body><embed src="/get?id=1" type="application/pdf"></body>',
      "/get?id=1",
    ],
    [
      "an object with a way round it",
      '<object data="/report.pdf"><p>No PDF here? <a href="/report.pdf">Download it</a></p></object>',
      "/report.pdf",
    ],
    [
      "an object within an object",
      '<object data="/report.pdf"><embed src="/report.pdf"></object>',
      "/report.pdf",
    ],
    [
      "a frame with a caption",
      '<header><nav>Home News Contact</nav></header><h1>Yearly report</h1><iframe src="/report.pdf?x=1"></iframe>',
      "/report.pdf?x=1",
    ],
    [
      "pdf.js in a frame",
      '<iframe src="/pdfjs/web/viewer.html?file=%2Ffiles%2Freport.pdf#page=2"></iframe>',
      "/files/report.pdf",
    ],
    [
      "Google's viewer in a frame",
      '<iframe src="https://docs.google.com/gview?embedded=true&url=https://a.example/r.docx"></iframe>',
      "/r.docx",
    ],
    [
      "Microsoft's viewer in a frame",
      '<iframe src="https://view.officeapps.live.com/op/embed.aspx?src=https%3A%2F%2Fa.example%2Fr.xlsx"></iframe>',
      "/r.xlsx",
    ],
    ["a base", '<base href="/files/"><embed src="report.pdf">', "/files/report.pdf"],
  ])("finds the document of a viewer page: %s", (_, html, path) => {
    expect(at(html)).toBe(`https://a.example${path}`);
  });

  it("finds the document of pdf.js by its URL", () => {
    const html = `<div id="viewerContainer"><div class="pdfViewer"></div></div>${"Zoom in ".repeat(100)}`;
    expect(at(html, "https://a.example/web/viewer.html?file=../report.pdf")).toBe(
      "https://a.example/report.pdf",
    );
    expect(at(html, "https://a.example/web/viewer.html")).toBeUndefined();
  });

  it.each([
    ["words of its own", `<p>${"word ".repeat(80)}</p><embed src="/report.pdf">`],
    ["several documents", '<embed src="/one.pdf"><embed src="/two.pdf">'],
    ["a frame of something else", '<iframe src="https://video.example/embed/pdf"></iframe>'],
    [
      "a document in its own bytes",
      '<embed type="application/pdf" src="data:application/pdf;base64,JVBE">',
    ],
    ["a document of this machine", '<embed type="application/pdf" src="file:///etc/passwd">'],
    ["nothing to show", '<embed type="application/pdf"><iframe></iframe>'],
    ["a link to a PDF", '<a href="/report.pdf">Report</a>'],
  ])("finds no viewer on a page with %s", (_, html) => {
    expect(at(html)).toBeUndefined();
  });
});

describe("Google editor documents", () => {
  const id = "1aBcDeFgHiJkLmNoPqRsTuVwXyZ";
  it.each([
    [`/document/d/${id}/edit?usp=sharing`, `/document/d/${id}/export?format=pdf`],
    [`/document/d/${id}`, `/document/d/${id}/export?format=pdf`],
    [`/presentation/d/${id}/view#slide=2`, `/presentation/d/${id}/export/pdf`],
  ])("exports a Google editor document: %s", (path, target) => {
    expect(exportTarget(new URL(`https://docs.google.com${path}`))?.href).toBe(
      `https://docs.google.com${target}`,
    );
  });

  it.each([
    `https://docs.google.com/document/d/${id}/export?format=pdf`,
    `https://docs.google.com/forms/d/${id}/viewform`,
    `https://docs.example/document/d/${id}/edit`,
  ])("does not export another URL: %s", (url) => {
    expect(exportTarget(new URL(url))).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { buildZip } from "../../test/documents/zip.ts";
import { decideMime, readMimeEssence } from "./http-mime.ts";

const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489",
  "hex",
);
const decide = (contentType: string, body: string | Buffer, nosniff = false) =>
  decideMime(contentType, Buffer.from(body), { nosniff });

describe("decideMime", () => {
  it.each([
    ["text/html; charset=utf-8", "<p>x", "text/html"],
    ["Text/HTML", "plain words", "text/html"],
    ["", "  <!DOCTYPE html><p>x", "text/html"],
    ["", "\uFEFF<html>", "text/html"],
    ["application/octet-stream", "<head><title>x", "text/html"],
    ["application/octet-stream", "just text", "text/plain"],
    ["nonsense", "<!-- comment --><p>", "text/html"],
    ["", "<?xml version='1.0'?><urlset/>", "application/xml"],
    ["", "<?xml version='1.0'?><!DOCTYPE html><html>", "application/xhtml+xml"],
    ["", "", "text/plain"],
    ["text/plain", "<p>not a page", "text/plain"],
    ["text/plain", "<!doctype html><p>a page", "text/html"],
    ["text/plain", "hello", "text/plain"],
    ["application/json", "{}", "application/json"],
    ["text/html", "%PDF-1.7 …", "application/pdf"],
    ["image/png", "%PDF-1.7 …", "application/pdf"],
    ["application/octet-stream", "\r\n%PDF-1.4", "application/pdf"],
    ["application/pdf", "junk before %PDF-1.4", "application/pdf"],
    ["application/pdf", "<!DOCTYPE html><h1>Log in", "text/html"],
    ["application/pdf", "only some words", "text/plain"],
    ["application/pdf", "garbage \u0000\u0001", "application/pdf"],
    ["application/pdf", "", "application/pdf"],
    ["text/markdown", "# x", "text/markdown"],
  ])("detects content %j labelled %j as %s", async (contentType, body, expected) => {
    expect(await decide(contentType, body)).toBe(expected);
  });

  it("detects the type from the bytes when they contradict Content-Type", async () => {
    expect(await decide("text/html", PNG)).toBe("image/png");
    expect(await decide("", PNG)).toBe("image/png");
    expect(await decide("image/jpeg", PNG)).toBe("image/png");
    expect(await decide("", Buffer.of(0, 1, 2, 3, 4))).toBe("application/octet-stream");
  });

  it("distinguishes a binary workbook from other archives", async () => {
    const xlsb = "application/vnd.ms-excel.sheet.binary.macroenabled.12";
    const workbook = buildZip({ "xl/workbook.bin": "book", "xl/other.bin": "more" });
    expect(await decide("application/octet-stream", workbook)).toBe(xlsb);
    expect(await decide("application/zip", workbook)).toBe(xlsb);
    const archive = buildZip({ "a.txt": "xl/workbook.bin" });
    expect(await decide("", archive)).toBe("application/zip");
    expect(await decide("", archive.subarray(0, 60))).toBe("application/zip");
  });

  it("keeps text/plain when the site forbids sniffing", async () => {
    expect(await decide("text/plain", "<!doctype html><p>source", true)).toBe("text/plain");
  });

  it("reads UTF-16 pages as text", async () => {
    expect(await decide("text/html", Buffer.from("\uFEFF<html>", "utf16le"))).toBe("text/html");
  });

  it("parses the MIME type of a Content-Type header", () => {
    expect(readMimeEssence(' Text/Html ;charset="x"')).toBe("text/html");
    expect(readMimeEssence("html")).toBe("");
  });
});

import { expect, it } from "vitest";
import { findRefusalReason } from "./devtools-commands.ts";

it("refuses a method with more parts than a domain and a command", () => {
  expect(findRefusalReason("Page.navigate", { url: "https://a.example/" })).toBeUndefined();
  for (const method of [
    "Page.navigate.x",
    "Page.navigate.",
    "Page.reload.a.b",
    "Runtime.evaluate..x",
  ])
    expect(findRefusalReason(method, { url: "file:///etc/passwd" }), method).toContain(
      "is not allowed",
    );
});

it("refuses Page.navigate to anything but web addresses", () => {
  for (const url of ["file:///etc/passwd", "chrome://settings", "javascript:1", 7, undefined])
    expect(findRefusalReason("Page.navigate", { url }), String(url)).toContain(
      "Page.navigate takes",
    );
});

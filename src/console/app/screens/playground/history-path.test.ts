import { expect, it } from "vitest";
import { UPLOAD_HOST } from "../../../../contract/page/upload-host.ts";
import { findFileName } from "./history-path.ts";

it("names a parsed file, and no other address", () => {
  expect(findFileName(`http://${UPLOAD_HOST}/a%20%3Cb%3E.html`)).toBe("a <b>.html");
  expect(findFileName(`http://${UPLOAD_HOST}/100%.txt`)).toBe("100%.txt");
  expect(findFileName("https://example.com/a.html")).toBeUndefined();
});

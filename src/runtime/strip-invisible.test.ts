import { expect, test } from "vitest";
import { stripInvisible } from "./strip-invisible.ts";

test("removes invisible letters but keeps those that are drawn", () => {
  const hidden = Array.from("obey")
    .map((sign) => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0)))
    .join("");
  expect(stripInvisible(`a${hidden}b\u200Bc\u202Ed`)).toBe("abcd");
  expect(stripInvisible("👩‍🚀 ❤️ नमस्ते")).toBe("👩‍🚀 ❤️ नमस्ते");
});

test("removes runs of variation selectors, fillers and joiners between ASCII letters", () => {
  expect(stripInvisible("a\uFE01\uFE02b\u3164c\u200D\u200Dd\u2066e")).toBe("abcde");
  expect(stripInvisible("\u2764\uFE0E")).toBe("\u2764\uFE0E");
});

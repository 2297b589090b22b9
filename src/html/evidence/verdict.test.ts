import { describe, expect, it } from "vitest";
import type { Evidence } from "./evidence.ts";
import type { BlockMark } from "../clean/block-page-signatures.ts";
import { acceptNoscript, judge, judgePart, judgeRendered } from "./verdict.ts";

const page: Evidence = {
  words: 800,
  noscriptWords: 0,
  loadMore: "",
  scripts: 3,
  passwordInputs: 0,
  emptyMounts: 0,
  frames: 0,
  asksForScript: false,
  title: "Tides",
  marks: [],
  hasCaptcha: false,
  asksForAccount: false,
  heading: "Tides",
};
const suspected: BlockMark = { product: "Acme", verdict: "bot_check", certain: false };
const certain: BlockMark = { ...suspected, certain: true };
const judgeKind = (status: number, changes: Partial<Evidence> = {}, bytes = 5_000): string =>
  judge(status, { ...page, ...changes }, bytes).kind;

describe("judge", () => {
  it("classifies a page with enough text as content despite marks of bot checks", () => {
    expect(judgeKind(200)).toBe("content");
    expect(judgeKind(200, { marks: [suspected] })).toBe("content");
    expect(judgeKind(200, { title: "Just a moment in history" })).toBe("content");
    expect(judgeKind(200, { passwordInputs: 1, title: "Sign in to see more" })).toBe("content");
  });

  it("detects bot checks by title and mark and escalates", () => {
    const challenge = { words: 20, title: "Just a moment...", marks: [suspected] };
    expect(judge(403, { ...page, ...challenge }, 900)).toMatchObject({
      kind: "bot_check",
      escalate: true,
    });
    expect(judgeKind(200, { words: 12, marks: [suspected] })).toBe("bot_check");
    expect(judgeKind(200, { words: 30, title: "Access denied" })).toBe("blocked");
  });

  it("distinguishes shells, logins and soft 404 pages", () => {
    expect(judgeKind(200, { words: 2, emptyMounts: 1 })).toBe("empty_shell");
    expect(judgeKind(200, { words: 15, passwordInputs: 1, title: "Log in" })).toBe("login");
    expect(judgeKind(200, { words: 15, title: "Page not found" })).toBe("soft_404");
    expect(judgeKind(200, { words: 0, scripts: 0 })).toBe("empty");
    expect(judgeKind(200, { words: 120, emptyMounts: 1 })).toBe("empty_shell");
    expect(judgeKind(200, { words: 120, emptyMounts: 1, scripts: 0 })).toBe("content");
    expect(judgeKind(200, { words: 40, asksForScript: true })).toBe("empty_shell");
  });

  it("classifies a page of frames as content, because a browser would not find its text", () => {
    for (const changes of [{}, { scripts: 0 }, { asksForScript: true }, { emptyMounts: 1 }])
      expect(judge(200, { ...page, words: 0, frames: 2, ...changes }, 900)).toEqual({
        kind: "content",
        reason: "0 words and 2 frames",
        escalate: false,
      });
  });

  it("names the remedy that may help a blocked page", () => {
    const remedyOf = (status: number, changes: Partial<Evidence>) =>
      judge(status, { ...page, ...changes }, 5_000).remedy;
    expect(remedyOf(200, { words: 2, emptyMounts: 1 })).toBe("browser");
    expect(remedyOf(200, { words: 12 })).toBe("browser");
    expect(remedyOf(200, { words: 12, scripts: 0 })).toBeUndefined();
    expect(remedyOf(401, {})).toBe("proxy");
    expect(remedyOf(403, {})).toBe("any");
    expect(remedyOf(200, {})).toBeUndefined();
  });

  it("does not request a second browser after a rendered page", () => {
    const shell = { ...page, words: 2, emptyMounts: 1 };
    expect(judgeRendered(200, shell, 500)).toMatchObject({ kind: "content", escalate: false });
    expect(judgeRendered(200, { ...shell, words: 0 }, 500).kind).toBe("empty");
    const challenge = { ...page, words: 20, marks: [suspected] };
    expect(judgeRendered(403, challenge, 500)).toMatchObject({
      kind: "bot_check",
      remedy: "any",
    });
  });

  it("escalates for 401, 403 and 429 only", () => {
    const escalating = [400, 401, 403, 404, 410, 429, 500, 503].filter(
      (status) => judge(status, page, 5_000).escalate,
    );
    expect(escalating).toEqual([401, 403, 429]);
  });

  it("is certain of a bot check by a vendor's marker, not by the title", () => {
    const titled = { words: 20, title: "Just a moment...", hasCaptcha: true };
    expect(judge(200, { ...page, ...titled }, 900)).not.toHaveProperty("certain");
    expect(judge(200, { ...page, words: 20, marks: [certain] }, 900)).toMatchObject({
      kind: "bot_check",
      certain: true,
    });
  });

  it("is certain of a bot check by the vendor's header on a short page from plain HTTP", () => {
    const headers = [["cf-mitigated", "challenge"]] as const;
    const short = { ...page, words: 20 };
    expect(judge(403, short, 900, headers)).toMatchObject({ kind: "bot_check", certain: true });
    expect(judge(200, page, 900, headers).kind).toBe("content");
    expect(judge(403, short, 900, [["cf-mitigated", "block"]]).kind).toBe("error_page");
  });

  it("keeps the verdict of a block page when only part of it was received", () => {
    const partOf = (status: number, changes: Partial<Evidence>): string =>
      judgePart(judge(status, { ...page, ...changes }, 900), "the body is cut").kind;
    expect(partOf(200, {})).toBe("partial");
    expect(partOf(200, { words: 0, scripts: 0 })).toBe("partial");
    expect(partOf(200, { words: 20, marks: [certain] })).toBe("bot_check");
    expect(partOf(404, {})).toBe("error_page");
  });

  it("accepts the noscript text of a shell once nothing else is tried", () => {
    const forum = { ...page, words: 2, emptyMounts: 1, noscriptWords: 900 };
    const shell = judge(200, forum, 900);
    expect(shell).toMatchObject({ kind: "empty_shell", remedy: "browser" });
    expect(acceptNoscript(shell, forum).kind).toBe("content");
    const plea = { ...forum, noscriptWords: 12 };
    expect(acceptNoscript(judge(200, plea, 900), plea).kind).toBe("empty_shell");
  });

  it("judges non-HTML by status and size", () => {
    expect(judge(200, undefined, 10).kind).toBe("content");
    expect(judge(204, undefined, 0).kind).toBe("empty");
    expect(judge(404, undefined, 10).kind).toBe("error_page");
  });
});

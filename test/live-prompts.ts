// A scripted model for live pages: it names elements by the references of the snapshot it was sent.
import type { ChatRequest, Turn } from "./model-server.ts";

/** The latest snapshot of the page. */
export const look = (request: ChatRequest): string =>
  request.messages.findLast(({ content }) => content?.includes("The page now:"))?.content ?? "";

/** The result of the last call. */
export const lastResult = (request: ChatRequest): string =>
  request.messages.findLast(({ role }) => role === "tool")?.content ?? "";

/** The reference of the element that the latest snapshot describes with these words. */
export function findRef(request: ChatRequest, words: RegExp): string {
  const line = look(request)
    .split("\n")
    .find((one) => words.test(one) && one.includes("[ref="));
  return (
    /\[ref=((?:f\d+)?e\d+)\]/.exec(line ?? "")?.[1] ??
    `none for ${words.source} in ${look(request)}`
  );
}

/** One tool call, on the element described by `words` if needed. */
export const act =
  (name: string, words: RegExp | undefined, given: object = {}): Turn =>
  (request) => ({
    toolCalls: [
      {
        name,
        arguments: { ...(words === undefined ? {} : { ref: findRef(request, words) }), ...given },
      },
    ],
  });

export const done = (answer: string, success = true): Turn =>
  act("finish", undefined, { answer, success });

/** Finishes with the text after a label in the last text that was read. */
export const answerWith =
  (words: RegExp): Turn =>
  (request) => {
    const [answer] = words.exec(lastResult(request)) ?? [];
    const given = { answer: answer ?? lastResult(request), success: answer !== undefined };
    return { toolCalls: [{ name: "finish", arguments: given }] };
  };

// A script in the place of a model that works a live page: it names elements as a real one must, by the references of the
// snapshot it was sent.
import type { ChatRequest, Turn } from "./model-server.ts";

/** What the newest look at the page showed. */
export const look = (request: ChatRequest): string =>
  request.messages.findLast(({ content }) => content?.includes("The page now:"))?.content ?? "";

/** What came of the last call. */
export const lastResult = (request: ChatRequest): string =>
  request.messages.findLast(({ role }) => role === "tool")?.content ?? "";

/** The reference of the element that the newest snapshot describes so. */
export function refOf(request: ChatRequest, words: RegExp): string {
  const line = look(request)
    .split("\n")
    .find((one) => words.test(one) && one.includes("[ref="));
  return (
    /\[ref=((?:f\d+)?e\d+)\]/.exec(line ?? "")?.[1] ??
    `none for ${words.source} in ${look(request)}`
  );
}

/** One call of a tool, on the element described by `words` where it needs one. */
export const act =
  (name: string, words: RegExp | undefined, given: object = {}): Turn =>
  (request) => ({
    toolCalls: [
      {
        name,
        arguments: { ...(words === undefined ? {} : { ref: refOf(request, words) }), ...given },
      },
    ],
  });

export const done = (answer: string, success = true): Turn =>
  act("finish", undefined, { answer, success });

/** Ends with what stands in the last text that was read, after its label. */
export const answerWith =
  (words: RegExp): Turn =>
  (request) => {
    const [answer] = words.exec(lastResult(request)) ?? [];
    const given = { answer: answer ?? lastResult(request), success: answer !== undefined };
    return { toolCalls: [{ name: "finish", arguments: given }] };
  };

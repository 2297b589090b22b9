// Tools for models on servers without tool support: described in words, called by a JSON object in
// the answer.
import type { ModelAnswer, ModelMessage, ModelRequest } from "./model.ts";
import { findJson } from "./find-json.ts";
import { isObject } from "../runtime/is-object.ts";

/**
 * Returns the request without tools: they are described in a system message, and earlier calls
 * become text.
 */
export function describeTools(request: ModelRequest): ModelRequest {
  const { tools = [], ...rest } = request;
  const lines = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  );
  const instructions = [
    "You may use these tools, one at a time:",
    ...lines,
    'To use a tool answer with nothing but {"tool": "<name>", "arguments": {…}}.',
    "When you need no tool any more, give your final answer as plain text.",
  ].join("\n");
  return {
    ...rest,
    messages: [{ role: "system", content: instructions }, ...request.messages.map(toTextMessage)],
  };
}

function toTextMessage(message: ModelMessage): ModelMessage {
  if (message.role === "tool")
    return { role: "user", content: `Answer of the tool ${message.name}:\n${message.content}` };
  if (message.role !== "assistant" || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(
    ({ name, argumentsText }) =>
      `{"tool": ${JSON.stringify(name)}, "arguments": ${argumentsText || "{}"}}`,
  );
  return {
    role: "assistant",
    content: [message.content, ...calls].filter((part) => part !== "").join("\n"),
  };
}

/** Reads a call of an offered tool from the text, if there is one. */
export function readToolAnswer(answer: ModelAnswer, request: ModelRequest): ModelAnswer {
  const found = findJson(answer.text);
  if (!isObject(found)) return answer;
  const { tool, arguments: given } = found;
  const known = request.tools?.find(({ name }) => name === tool);
  if (known === undefined) return answer;
  const fields = isObject(given) ? given : undefined;
  const argumentsText = JSON.stringify(given ?? {});
  const call = { id: "call_0", name: known.name, arguments: fields, argumentsText };
  return { ...answer, text: "", toolCalls: [call], finish: "tools" };
}

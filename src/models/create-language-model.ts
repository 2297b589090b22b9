// A model over its transport. If a server rejects a feature, the request is retried in the next
// simpler form, which is remembered: JSON by schema, as an object, in words; tools by protocol, in
// words; no temperature.
import type { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "./model.ts";
import type { JsonMode, Provider, Quirks } from "./provider.ts";
import { describeTools, readToolAnswer } from "./tool-prompt.ts";
import { readErrorText, type Reply, type Transport } from "./transport.ts";

type RequestForm = Quirks & { readonly json: number; readonly toolsInWords: boolean };

const INITIAL_FORM: RequestForm = {
  json: 0,
  toolsInWords: false,
  noTemperature: false,
  otherTokenLimit: false,
};

/** Maximum requests until every optional feature was rejected. */
const MAX_STEPS = 6;

/** Statuses of servers that do not support a part of the request. */
const REFUSALS = new Set([400, 404, 405, 415, 422, 501]);

export function createLanguageModel(
  name: string,
  provider: Provider,
  transport: Transport,
): LanguageModel {
  let learned = INITIAL_FORM;

  return {
    name,
    async complete(request, deadline) {
      let form = learned;
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const reply = await ask(request, form, deadline);
        if (reply.status < 300) {
          const answer = provider.read(reply.json);
          if (answer === undefined)
            throw createFailedError(
              name,
              `returned an unexpected response format${readErrorText(reply.json)}`,
            );
          return finish(request, form, answer);
        }
        const next = REFUSALS.has(reply.status)
          ? chooseSimplerForm(provider, request, form, reply)
          : undefined;
        if (next === undefined && isTooLong(reply))
          throw new TargetError(
            "MODEL_FAILED",
            `The language model ${name} says that the request is longer than its context${readErrorText(reply.json)}.`,
            { details: { reason: CONTEXT_LENGTH } },
          );
        if (next === undefined)
          throw createFailedError(
            name,
            `answered with status ${reply.status}${readErrorText(reply.json)}`,
          );
        form = next;
        if (isServerLimitation(reply.text)) learned = form;
      }
      throw createFailedError(name, "rejected every request format");
    },
  };

  function ask(request: ModelRequest, form: RequestForm, deadline: Deadline): Promise<Reply> {
    const mode = chooseMode(provider, request, form);
    const worded = hasTools(request) && form.toolsInWords ? describeTools(request) : request;
    return transport.post(provider.write(describeSchema(worded, mode), mode, form), deadline);
  }
}

const hasTools = ({ tools = [] }: ModelRequest): boolean => tools.length > 0;

function chooseMode(
  provider: Provider,
  request: ModelRequest,
  form: RequestForm,
): JsonMode | undefined {
  return request.jsonSchema === undefined ? undefined : provider.jsonModes[form.json];
}

/** Describes the schema in words if it is not sent itself. */
function describeSchema(request: ModelRequest, mode: JsonMode | undefined): ModelRequest {
  if (mode === undefined || mode === "schema") return request;
  const content = `Answer with nothing but one JSON object that fits this JSON Schema:\n${JSON.stringify(request.jsonSchema)}`;
  return { ...request, messages: [{ role: "system", content }, ...request.messages] };
}

function finish(request: ModelRequest, form: RequestForm, answer: ModelAnswer): ModelAnswer {
  return hasTools(request) && form.toolsInWords ? readToolAnswer(answer, request) : answer;
}

/**
 * Returns the next simpler form of the request, or undefined if the rejection has another cause.
 */
function chooseSimplerForm(
  provider: Provider,
  request: ModelRequest,
  form: RequestForm,
  { text, status }: Reply,
): RequestForm | undefined {
  if (TOO_LONG.test(text) && !ABOUT_SCHEMA.test(text)) return undefined;
  // 404 means a wrong base URL or model, unless the text says otherwise.
  if (status === 404 && !/tool|response_format|schema|support/i.test(text)) return undefined;
  if (/max_(?:completion_)?tokens/i.test(text) && !form.otherTokenLimit)
    return { ...form, otherTokenLimit: true };
  if (/temperature/i.test(text) && request.temperature !== undefined && !form.noTemperature)
    return { ...form, noTemperature: true };
  const mayDropTools = hasTools(request) && !form.toolsInWords;
  if (mayDropTools && /tool|function/i.test(text)) return { ...form, toolsInWords: true };
  if (request.jsonSchema !== undefined && form.json < provider.jsonModes.length - 1)
    return { ...form, json: form.json + 1 };
  return mayDropTools ? { ...form, toolsInWords: true } : undefined;
}

/** No simpler form makes a request shorter. */
const TOO_LONG =
  /context.?(?:length|window|size)|maximum context|too (?:large|long|many (?:input )?tokens)|exceeds? the (?:limit|maximum) of \d+ tokens/i;
const CONTEXT_LENGTH = "context_length";

const isTooLong = ({ status, text }: Reply): boolean =>
  status === 413 || (TOO_LONG.test(text) && !ABOUT_SCHEMA.test(text));

/** True if a call failed because its request does not fit the model's context. */
export const isContextLengthError = (error: unknown): boolean =>
  error instanceof TargetError &&
  (error.details as { readonly reason?: unknown } | undefined)?.reason === CONTEXT_LENGTH;
const ABOUT_SCHEMA = /schema|response_format|grammar/i;
/** The rejection of one schema does not apply to others. */
const THIS_SCHEMA = /invalid schema|schema conversion|unrecogni[sz]ed schema/i;

const isServerLimitation = (text: string): boolean =>
  /support|unknown|unrecogni[sz]ed|unavailable|not allowed|not permitted|must be|extra/i.test(
    text,
  ) && !THIS_SCHEMA.test(text);

const createFailedError = (name: string, what: string): TargetError =>
  new TargetError("MODEL_FAILED", `The language model ${name} ${what}.`);

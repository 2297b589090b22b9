// The configured models by role. Built once; each has its own egress.
import { ConfigError, type Config } from "../config.ts";
import type { Lookup } from "../egress/resolver.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Metrics } from "../metrics.ts";
import { GEN_AI } from "../telemetry/gen-ai.ts";
import { withSpan } from "../telemetry/tracing.ts";
import type { Secret } from "../settings/secret.ts";
import { createAnthropic } from "./anthropic.ts";
import { createGoogle } from "./google.ts";
import { createLanguageModel } from "./create-language-model.ts";
import type { LanguageModel, Models } from "./model.ts";
import { createChatCompletions } from "./openai-compatible.ts";
import type { Provider } from "./provider.ts";
import { createTransport } from "./transport.ts";
import { Semaphore } from "../semaphore.ts";
import { openProviderEgress, type ProxySettings } from "./provider-egress.ts";

export type ModelSettings = ProxySettings &
  Pick<
    Config,
    | "model"
    | "modelBaseUrl"
    | "modelApiKey"
    | "modelFast"
    | "modelFastBaseUrl"
    | "modelFastApiKey"
    | "modelConcurrency"
    | "modelTimeoutMs"
    | "modelInputTokens"
  >;

export type ModelParts = {
  readonly metrics: Metrics;
  /** Replaces the system's DNS lookup. */
  readonly lookup?: Lookup;
  /** Milliseconds before the first retry if the provider names no time; doubled each time. */
  readonly firstPauseMs?: number;
};

/** One configured model. */
type Choice = {
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly key: Secret | undefined;
};

const DEFAULT_BASE_URLS: Readonly<Record<string, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  ollama: "http://127.0.0.1:11434/v1",
};

/** Creates the models without connecting. The caller closes them. Throws ConfigError. */
export function createModels(settings: ModelSettings, parts: ModelParts): Models {
  const semaphore = new Semaphore(settings.modelConcurrency);
  const ways: Egress[] = [];
  const make = (choice: Choice | undefined): LanguageModel | undefined => {
    if (choice === undefined) return undefined;
    const baseUrl = resolveBaseUrl(choice);
    const form = openProviderEgress(baseUrl, settings, parts);
    ways.push(form);
    const key = choice.key?.reveal();
    const transport = createTransport({
      baseUrl,
      name: choice.name,
      key,
      timeoutMs: settings.modelTimeoutMs,
      route: (url) => form.route(url, { verifyTls: true, proxy: form.selectProxy("basic") }),
      ...(parts.firstPauseMs === undefined ? {} : { firstPauseMs: parts.firstPauseMs }),
    });
    const model = createLanguageModel(choice.name, findProvider(choice.name, key), transport);
    return countRequests(model, semaphore, parts.metrics);
  };
  const main = chooseMain(settings);
  const smart = make(main);
  const fastChoice = chooseFast(settings);
  const fast = fastChoice === undefined ? smart : make(fastChoice);
  const close = async (): Promise<void> => {
    await Promise.all(ways.map((form) => form.close()));
  };
  return {
    role: (role) => (role === "fast" ? fast : (smart ?? fast)),
    inputTokens: settings.modelInputTokens,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function chooseMain({ model, modelBaseUrl, modelApiKey }: ModelSettings): Choice | undefined {
  return model === undefined ? undefined : { name: model, baseUrl: modelBaseUrl, key: modelApiKey };
}

/**
 * The main model's address and key apply only to the same provider, because a key must not go to
 * another one.
 */
function chooseFast(settings: ModelSettings): Choice | undefined {
  const { modelFast, modelFastBaseUrl, modelFastApiKey } = settings;
  if (modelFast === undefined) return undefined;
  const isSame = normalizeProviderName(modelFast) === normalizeProviderName(settings.model ?? "");
  const ownAddress = modelFastBaseUrl !== undefined;
  return {
    name: modelFast,
    baseUrl: modelFastBaseUrl ?? (isSame ? settings.modelBaseUrl : undefined),
    key: modelFastApiKey ?? (isSame && !ownAddress ? settings.modelApiKey : undefined),
  };
}

const normalizeProviderName = (name: string): string => name.slice(0, name.indexOf("/"));

function resolveBaseUrl({ name, baseUrl }: Choice): URL {
  const text = baseUrl ?? DEFAULT_BASE_URLS[normalizeProviderName(name)];
  if (text === undefined)
    throw new ConfigError(
      `QUARRY_MODEL_BASE_URL: ${name} needs the address of its server, such as http://127.0.0.1:8080/v1.`,
    );
  return new URL(text.endsWith("/") ? text : `${text}/`);
}

function findProvider(name: string, key: string | undefined): Provider {
  const model = name.slice(name.indexOf("/") + 1);
  switch (normalizeProviderName(name)) {
    case "anthropic":
      return createAnthropic({ model, key });
    case "google":
      return createGoogle({ model, key });
    case "openai":
      return createChatCompletions({ model, key, tokenLimit: "max_completion_tokens" });
    default:
      return createChatCompletions({ model, key, tokenLimit: "max_tokens" });
  }
}

const describeCall = (name: string) => ({
  [GEN_AI.operation]: "chat",
  [GEN_AI.provider]: normalizeProviderName(name),
  [GEN_AI.requestModel]: name.slice(name.indexOf("/") + 1),
});

/** Wraps a model with a concurrency limit, metrics and spans. */
function countRequests(
  model: LanguageModel,
  semaphore: Semaphore,
  metrics: Metrics,
): LanguageModel {
  return {
    name: model.name,
    async complete(request, deadline) {
      return await semaphore.run(async () => {
        try {
          const answer = await withSpan(
            `chat ${model.name}`,
            describeCall(model.name),
            async (span) => {
              const made = await model.complete(request, deadline);
              span.set({
                [GEN_AI.finishReasons]: made.finish,
                [GEN_AI.inputTokens]: made.usage.inputTokens,
                [GEN_AI.outputTokens]: made.usage.outputTokens,
              });
              return made;
            },
            "client",
          );
          metrics.modelCalls.inc({ model: model.name, outcome: answer.finish });
          const { inputTokens, outputTokens } = answer.usage;
          metrics.modelTokens.inc({ model: model.name, direction: "input" }, inputTokens);
          metrics.modelTokens.inc({ model: model.name, direction: "output" }, outputTokens);
          return answer;
        } catch (error) {
          metrics.modelCalls.inc({ model: model.name, outcome: "failed" });
          throw error;
        }
      }, deadline);
    },
  };
}

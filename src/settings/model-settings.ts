// The settings of language models. One model serves both roles unless a second one is set for the
// fast role.
import {
  readAnyText,
  readCheckedText,
  readHttpAddress,
  findProxyFault,
  defineRow,
  secret,
  readTextLike,
  readWhole,
  type Row,
} from "./checks.ts";

const PROVIDERS = ["openai-compatible", "openai", "anthropic", "google", "ollama"] as const;

const modelName = readTextLike(
  new RegExp(`^(?:${PROVIDERS.join("|")})/.+`),
  `must be provider/model with one of the providers ${PROVIDERS.join(", ")}`,
);
const proxy = readCheckedText((text) => (text === "none" ? undefined : findProxyFault(text)));

export const MODEL_SETTINGS = {
  model: defineRow(
    "model",
    "QUARRY_MODEL",
    modelName,
    "",
    "Language model as provider/model: openai-compatible, ollama, openai, anthropic or google. Without one, rules are used.",
  ),
  modelBaseUrl: defineRow(
    "model",
    "QUARRY_MODEL_BASE_URL",
    readHttpAddress,
    "",
    "Where the provider is reached; required for openai-compatible (such as http://127.0.0.1:8080/v1). This one address is opened for model calls only, also when it is private.",
  ),
  modelApiKey: defineRow(
    "model",
    "QUARRY_MODEL_API_KEY",
    secret,
    "",
    "Key for the model provider.",
  ),
  modelFast: defineRow(
    "model",
    "QUARRY_MODEL_FAST",
    modelName,
    "",
    "A cheaper model, as provider/model, for work on single pages and for spark-1-mini; QUARRY_MODEL when not set.",
  ),
  modelFastBaseUrl: defineRow(
    "model",
    "QUARRY_MODEL_FAST_BASE_URL",
    readHttpAddress,
    "",
    "Where the provider of QUARRY_MODEL_FAST is reached; that of QUARRY_MODEL when the provider is the same.",
  ),
  modelFastApiKey: defineRow(
    "model",
    "QUARRY_MODEL_FAST_API_KEY",
    secret,
    "",
    "Key for the provider of QUARRY_MODEL_FAST; that of QUARRY_MODEL when the provider is the same.",
  ),
  modelProxy: defineRow(
    "model",
    "QUARRY_MODEL_PROXY",
    proxy,
    "",
    "HTTP or SOCKS5 proxy for model calls, or none. When not set: HTTPS_PROXY for a model outside the machine that NO_PROXY does not name.",
  ),
  httpsProxy: defineRow(
    "model",
    "HTTPS_PROXY",
    proxy,
    "",
    "The standard proxy variable of the network; used for model calls only.",
  ),
  noProxy: defineRow(
    "model",
    "NO_PROXY",
    readAnyText,
    "",
    "Comma-separated hosts and domains that bypass HTTPS_PROXY; * for all.",
  ),
  modelConcurrency: defineRow(
    "model",
    "QUARRY_MODEL_CONCURRENCY",
    readWhole(1, 1_000),
    "4",
    "Maximum concurrent model calls in this process; further ones wait.",
  ),
  modelTimeoutMs: defineRow(
    "model",
    "QUARRY_MODEL_TIMEOUT_MS",
    readWhole(1_000, 3_600_000),
    "120000",
    "Maximum milliseconds of one model call; never more than the scrape has left.",
  ),
  modelInputTokens: defineRow(
    "model",
    "QUARRY_MODEL_INPUT_TOKENS",
    readWhole(1_000, 10_000_000),
    "24000",
    "Estimated tokens of a page sent in one call; longer pages are sent in parts and the answers merged.",
  ),
} as const satisfies Record<string, Row>;

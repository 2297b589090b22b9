// The settings of language models. One model serves both roles unless a second one is set for the
// fast role.
import {
  anyText,
  checkedText,
  httpAddress,
  proxyFault,
  row,
  secret,
  textLike,
  whole,
  type Row,
} from "./checks.ts";

const PROVIDERS = ["openai-compatible", "openai", "anthropic", "google", "ollama"] as const;

const modelName = textLike(
  new RegExp(`^(?:${PROVIDERS.join("|")})/.+`),
  `must be provider/model with one of the providers ${PROVIDERS.join(", ")}`,
);
const proxy = checkedText((text) => (text === "none" ? undefined : proxyFault(text)));

export const MODEL_SETTINGS = {
  model: row(
    "model",
    "QUARRY_MODEL",
    modelName,
    "",
    "Language model as provider/model: openai-compatible, ollama, openai, anthropic or google. Without one, rules are used.",
  ),
  modelBaseUrl: row(
    "model",
    "QUARRY_MODEL_BASE_URL",
    httpAddress,
    "",
    "Where the provider is reached; required for openai-compatible (such as http://127.0.0.1:8080/v1). This one address is opened for model calls only, also when it is private.",
  ),
  modelApiKey: row("model", "QUARRY_MODEL_API_KEY", secret, "", "Key for the model provider."),
  modelFast: row(
    "model",
    "QUARRY_MODEL_FAST",
    modelName,
    "",
    "A cheaper model, as provider/model, for work on single pages and for spark-1-mini; QUARRY_MODEL when not set.",
  ),
  modelFastBaseUrl: row(
    "model",
    "QUARRY_MODEL_FAST_BASE_URL",
    httpAddress,
    "",
    "Where the provider of QUARRY_MODEL_FAST is reached; that of QUARRY_MODEL when the provider is the same.",
  ),
  modelFastApiKey: row(
    "model",
    "QUARRY_MODEL_FAST_API_KEY",
    secret,
    "",
    "Key for the provider of QUARRY_MODEL_FAST; that of QUARRY_MODEL when the provider is the same.",
  ),
  modelProxy: row(
    "model",
    "QUARRY_MODEL_PROXY",
    proxy,
    "",
    "HTTP or SOCKS5 proxy for model calls, or none. When not set: HTTPS_PROXY for a model outside the machine that NO_PROXY does not name.",
  ),
  httpsProxy: row(
    "model",
    "HTTPS_PROXY",
    proxy,
    "",
    "The standard proxy variable of the network; used for model calls only.",
  ),
  noProxy: row(
    "model",
    "NO_PROXY",
    anyText,
    "",
    "Comma-separated hosts and domains that bypass HTTPS_PROXY; * for all.",
  ),
  modelConcurrency: row(
    "model",
    "QUARRY_MODEL_CONCURRENCY",
    whole(1, 1_000),
    "4",
    "Maximum concurrent model calls in this process; further ones wait.",
  ),
  modelTimeoutMs: row(
    "model",
    "QUARRY_MODEL_TIMEOUT_MS",
    whole(1_000, 3_600_000),
    "120000",
    "Maximum milliseconds of one model call; never more than the scrape has left.",
  ),
  modelInputTokens: row(
    "model",
    "QUARRY_MODEL_INPUT_TOKENS",
    whole(1_000, 10_000_000),
    "24000",
    "Estimated tokens of a page sent in one call; longer pages are sent in parts and the answers merged.",
  ),
} as const satisfies Record<string, Row>;

// A service with a browser and a scripted language model.
import { Firecrawl } from "@mendable/firecrawl-js";
import { testBrowserExecutable } from "./browser/launch.ts";
import { startModelServer, type ChatRequest, type ModelServer, type Turn } from "./model-server.ts";
import { startService, type Service } from "./service.ts";

export type PromptServer = AsyncDisposable & {
  readonly service: Service;
  readonly model: ModelServer;
  /** The published client. */
  readonly client: Firecrawl;
};

/** `next` returns the turn that answers a request; the script ends without one. */
export async function startPromptServer(
  next: (request: ChatRequest) => Turn | undefined,
): Promise<PromptServer> {
  const model = await startModelServer({
    turns: (request, nth) => {
      const turn = next(request) ?? { text: "The script is over." };
      return typeof turn === "function" ? turn(request, nth) : turn;
    },
  });
  const service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    browser: await testBrowserExecutable(),
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
  return {
    service,
    model,
    client: new Firecrawl({ apiKey: service.key, apiUrl: service.url }),
    async [Symbol.asyncDispose]() {
      await service.close();
      await model.close();
    },
  };
}

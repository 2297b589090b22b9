// Fake search engines as documented: they validate requests, reject what real ones reject, and
// answer in their formats.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ProviderCall = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
};

export type Reply = { readonly status?: number; readonly body: unknown };

export type SearchEngine = {
  readonly url: string;
  readonly asked: readonly ProviderCall[];
  /** Sets the answer to the next query. */
  readonly next: (reply: Reply | "hang" | "break") => void;
  readonly close: () => Promise<void>;
};

/** The caller closes it. */
export async function startSearchEngine(
  answer: (asked: ProviderCall) => Reply,
): Promise<SearchEngine> {
  const asked: ProviderCall[] = [];
  let once: Reply | "hang" | "break" | undefined;
  const server = createServer((request, response) => {
    void take(request).then((question) => {
      asked.push(question);
      const reply = once ?? answer(question);
      once = undefined;
      give(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    next: (reply) => (once = reply),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function take(request: IncomingMessage): Promise<ProviderCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const url = new URL(request.url ?? "/", "http://localhost");
  return {
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

function give(response: ServerResponse, reply: Reply | "hang" | "break"): void {
  if (reply === "hang") return;
  if (reply === "break") return void response.destroy();
  const { status = 200, body } = reply;
  response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const range = (from: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => from + index);

/** GET /search; JSON must be enabled, three pages of ten results. */
export function answerAsSearxng({ method, path, query }: ProviderCall): Reply {
  if (method !== "GET" || path !== "/search") return { status: 404, body: {} };
  if (query["format"] !== "json" || !query["q"]) return { status: 400, body: {} };
  const page = Number(query["pageno"] ?? "1");
  const numbers = page > 3 ? [] : range((page - 1) * 10 + 1, 10);
  const isImages = query["categories"] === "images";
  return {
    body: {
      query: query["q"],
      number_of_results: 0,
      results: numbers.map((number) => ({
        url: `https://site${number}.example/page`,
        title: `Result ${number}`,
        content: `Text of <b>result</b> ${number} &amp; more`,
        engine: "mock",
        template: isImages ? "images.html" : "default.html",
        category: query["categories"],
        score: 1 / number,
        ...(isImages
          ? { img_src: `//images.example/${number}.png`, resolution: "640 x 480" }
          : { publishedDate: "2026-11-01T00:00:00" }),
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [["slow", "timeout"]],
    },
  };
}

/** GET /res/v1/{web,news,images}/search with the key in X-Subscription-Token; at most 20 web results, offsets from 0 to 9. */
export function answerAsBrave({ path, query, headers }: ProviderCall): Reply {
  if (headers["x-subscription-token"] !== "brave-key")
    return {
      status: 401,
      body: { type: "ErrorResponse", error: { code: "SUBSCRIPTION_TOKEN_INVALID" } },
    };
  const source = /^\/res\/v1\/(web|news|images)\/search$/.exec(path)?.[1];
  if (source === undefined) return { status: 404, body: {} };
  const most = { web: 20, news: 50, images: 200 }[source] ?? 0;
  const count = Number(query["count"]);
  const offset = Number(query["offset"] ?? "0");
  if (!(count >= 1 && count <= most) || offset > 9) return { status: 422, body: {} };
  const results = range(offset * count + 1, count).map((number) => ({
    type: "search_result",
    title: `Brave <strong>${number}</strong>`,
    url: `https://brave${number}.example/`,
    description: `It&#x27;s result ${number}`,
    age: "3 days ago",
    page_age: "2026-11-18T00:00:00",
    ...(source === "images"
      ? {
          thumbnail: { src: `https://thumbs.example/${number}` },
          properties: { url: `https://images.example/${number}.jpg`, width: 800, height: 600 },
        }
      : { thumbnail: { src: `https://thumbs.example/${number}` } }),
  }));
  return source === "web"
    ? {
        body: { type: "search", query: { original: query["q"] }, web: { type: "search", results } },
      }
    : { body: { type: source, query: { original: query["q"] }, results } };
}

/** POST /search, /news and /images with the key in X-API-KEY; ten results a page. */
export function answerAsSerper({ method, path, headers, body }: ProviderCall): Reply {
  if (headers["x-api-key"] !== "serper-key")
    return { status: 403, body: { message: "Unauthorized.", statusCode: 403 } };
  if (method !== "POST" || typeof body["q"] !== "string") return { status: 400, body: {} };
  const page = Number(body["page"] ?? 1);
  const numbers = range((page - 1) * 10 + 1, page > 2 ? 3 : 10);
  const list = numbers.map((number) => ({
    title: `Serper ${number}`,
    link: `https://serper${number}.example/`,
    snippet: `Snippet ${number}`,
    position: number,
    ...(path === "/news"
      ? { date: "2 days ago", source: "News", imageUrl: "data:image/png;base64,AA" }
      : {}),
    ...(path === "/images"
      ? { imageUrl: `https://images.example/${number}.gif`, imageWidth: 100, imageHeight: 50 }
      : {}),
  }));
  const name = { "/search": "organic", "/news": "news", "/images": "images" }[path];
  if (name === undefined) return { status: 404, body: {} };
  return {
    body: {
      searchParameters: { q: body["q"], type: name, engine: "google" },
      [name]: list,
      credits: 1,
    },
  };
}

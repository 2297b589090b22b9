// A service and a site with pages made by each test, shared by the crawl tests.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FinishedJob } from "../client/client.ts";
import type { Config } from "../src/config.ts";
import { closeAll, openSite } from "./http-fetching.ts";
import { shareService, startService, type Service } from "./service.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const page =
  (title: string, links: readonly string[] = [], head = ""): Answer =>
  (_request, response) => {
    const anchors = links.map((to) => `<a href="${to}">${to}</a>`).join(" ");
    const text = `<p>${`This is the page called ${title}, and it has some words of its own. `.repeat(3)}</p>`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>${title}</title>${head}<main><h1>${title}</h1>${text}${anchors}</main>`);
  };
export const redirect =
  (to: string): Answer =>
  (_request, response) =>
    void response.writeHead(302, { location: to }).end();

/** Responses of the site by path; others are 404. */
export const answers = new Map<string, Answer>();
export const asked: string[] = [];
export let base: string;
export let service: Service;

export const openCrawls = (): Promise<void> => open(shareService());

/** With its own service, for values counted per process. */
export const openOwnCrawls = (settings: Partial<Config> = {}): Promise<void> =>
  open(startService(undefined, { egressAllow: ["127.0.0.1", "localhost"], ...settings }));

async function open(started: Promise<Service>): Promise<void> {
  answers.clear();
  asked.length = 0;
  ({ base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const answer = answers.get(path) ?? answers.get(path.replace(/\?.*$/, "?"));
    if (answer === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("no");
    else answer(request, response);
  }));
  service = await started;
}

export async function closeCrawls(): Promise<void> {
  await service.close();
  await closeAll();
}

/** Serves pages below a path of their own: each test has its own site. */
let sites = 0;
export function serve(pages: Readonly<Record<string, Answer>>): string {
  const place = `/site${(sites += 1)}`;
  for (const [path, answer] of Object.entries(pages)) answers.set(`${place}${path}`, answer);
  return `${base}${place}`;
}

export const crawl = (start: string, parameters: object = {}): Promise<FinishedJob> =>
  service.client.crawl(start, { sitemap: "skip", ...parameters });

export const listPaths = (job: FinishedJob): string[] =>
  job.documents
    .map(({ metadata }) => new URL(metadata.url ?? "").pathname.replace(/^\/site\d+/, ""))
    .toSorted();

export async function fates(id: string | undefined): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { url, fate } of service.client.crawlJob(id ?? "").ledgerEntries())
    found[url.replace(base, "").replace(/^\/site\d+/, "")] = fate;
  return found;
}

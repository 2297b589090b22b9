// The extraction tasks of test/understanding/tasks, and a server for their pages and sites.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { servePages } from "../service.ts";
import type { Schema } from "./score-values.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../test/understanding");
/** `tasks` is what rules are developed on; `fresh` is only measured. */
export const SETS = ["tasks", "fresh"] as const;
export type TaskSet = (typeof SETS)[number];
const resolveRoot = (set: TaskSet): string => path.join(FOLDER, set);
const SITES = "sites";
const ASSETS = "assets";

export type PageTask = {
  /** `category/page`, with the task's name where a page has several. */
  readonly id: string;
  readonly category: string;
  /** Path of the page below the server's root. */
  readonly path: string;
  readonly html: string;
  readonly schema: Schema;
  readonly prompt?: string;
  readonly truth: unknown;
};
export type AgentTask = {
  readonly id: string;
  readonly site: string;
  readonly kind: string;
  readonly start: string;
  readonly schema: Schema;
  readonly prompt: string;
  readonly truth: unknown;
};

const listFolders = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

export function readPageTasks(set: TaskSet = "tasks"): PageTask[] {
  const root = resolveRoot(set);
  return listFolders(root)
    .filter((name) => name !== SITES && name !== ASSETS)
    .flatMap((category) =>
      readdirSync(path.join(root, category))
        .filter((file) => file.endsWith(".json"))
        .toSorted()
        .flatMap((file) => {
          const page = `${category}/${file.slice(0, -".json".length)}`;
          const html = readFileSync(path.join(root, `${page}.html`), "utf8");
          const { tasks } = readJson(path.join(root, category, file)) as {
            tasks: (Omit<PageTask, "id" | "category" | "path" | "html"> & { name?: string })[];
          };
          return tasks.map(({ name, ...task }) => ({
            ...task,
            id: name === undefined ? page : `${page}#${name}`,
            category,
            path: `/${page}`,
            html,
          }));
        }),
    );
}

export function readAgentTasks(): AgentTask[] {
  const root = resolveRoot("tasks");
  return listFolders(path.join(root, SITES)).flatMap((site) => {
    const { prompts } = readJson(path.join(root, SITES, site, "prompts.json")) as {
      prompts: Omit<AgentTask, "id" | "site">[];
    };
    return prompts.map((task, i) => ({ ...task, id: `${site}/${i + 1} ${task.kind}`, site }));
  });
}

/**
 * Serves the pages, or one site at the root, on loopback. `/x` is `x.html`, `/` is `index.html`,
 * `/x?page=2` is `x@page=2.html`.
 */
export async function serveTasks(
  site?: string,
  set: TaskSet = "tasks",
): Promise<{ url: string; close(): void }> {
  const root = resolveRoot(set);
  const folder = site === undefined ? root : path.join(root, SITES, site);
  return await servePages((target) => {
    const { pathname, search } = new URL(target, "http://localhost");
    const name = pathname === "/" ? "/index" : decodeURIComponent(pathname);
    const file = name.startsWith(`/${ASSETS}/`)
      ? path.join(root, name)
      : path.join(folder, `${name}${search.replace("?", "@")}.html`);
    return file.startsWith(root) && existsSync(file) ? readFileSync(file) : undefined;
  });
}

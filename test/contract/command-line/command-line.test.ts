// The command line with and without a running server.
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  run,
  serve,
  serveUntil,
  spawnCommand,
  type Environment,
  type Outcome,
  type ServingProcess,
} from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, siteHosts } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let folder: string;
let environment: Environment;
const quarry = (...words: string[]): Promise<Outcome> => run(words, environment);
const exists = async (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
const asks = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/v2/team/credit-usage`, { headers: { authorization: `Bearer ${key}` } }))
    .status;

beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: siteHosts(site).join(",") };
});
afterAll(async () => {
  if (isRemote) return;
  await rm(folder, { recursive: true, force: true });
  await site.close();
});

describe.skipIf(isRemote)("command line with a running server", () => {
  let server: ServingProcess;
  let key: string;
  beforeAll(async () => {
    server = await serve({ ...environment, QUARRY_SHUTDOWN_MS: "60000" });
    key = /^API key, shown only this once: (\S+)$/m.exec(server.stdout())?.[1] ?? "";
  });
  afterAll(async () => {
    await server.stop();
  });

  it("serve prints the URL first, the key once, and its capabilities", async () => {
    const lines = server.stdout().split("\n");
    expect(lines[0]).toMatch(/^Quarry \d\S* listens on http:\/\/127\.0\.0\.1:\d+ /);
    expect(key).toMatch(/^qy-[\w-]{43}$/);
    expect(lines.filter((line) => line.includes(key))).toHaveLength(1);
    const keyFile = path.relative(process.cwd(), path.join(folder, "key"));
    expect(lines.slice(-6)).toEqual([
      `API key, shown only this once: ${key}`,
      expect.stringContaining(`  stored in ${keyFile}; in another terminal: `) as string,
      expect.stringMatching(/^Console: http:\S+#sign-in=\S+$/) as string,
      "  signs in once, within 10 minutes",
      "Ready.",
      "",
    ]);
    expect(server.stdout()).toMatch(/^ {2}browser +\S/m);
    expect(server.stdout()).toMatch(/^ {2}model +none/m);
    expect(await asks(server.url, key)).toBe(200);
    expect(await readFile(path.join(folder, "key"), "utf8")).toBe(`${key}\n`);
    for (const name of ["key", "server.json"])
      expect(await modeOf(path.join(folder, name)), name).toBe(0o600);
    expect(server.stderr()).not.toContain(key);
  });

  it("serve logs one JSON object per line on standard error", async () => {
    await fetch(`${server.url}/v0/health/liveness`, {
      headers: { "x-request-id": "from-cli-test" },
    });
    await expect.poll(() => server.stderr()).toContain("from-cli-test");
    for (const line of server.stderr().trim().split("\n"))
      expect(JSON.parse(line)).toHaveProperty("level");
  });

  it("scrape prints only the page on standard output, through the running server", async () => {
    const { code, stdout, stderr } = await quarry("scrape", `${site.url}/article`);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("# Fenwick gets a wall that tires the sea");
    await expect.poll(() => server.stderr()).toContain('"route":"/v2/scrape"');
  });

  it("scrape --explain shows plan, attempts, verdict, cache, timings and the server", async () => {
    const { code, stdout, stderr } = await quarry(
      "scrape",
      `${site.url}/metadata`,
      "--explain",
      "--max-age",
      "0",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("Rough basalt takes the force");
    expect(stdout).not.toContain("verdict");
    expect(stderr).toContain(`answered by   ${server.url}`);
    expect(stderr).toMatch(/^plan +http \(basic\)/m);
    expect(stderr).toMatch(/^tried +http \(basic\): captured 200 in \d+ ms/m);
    expect(stderr).toMatch(/^cache +not used/m);
    expect(stderr).toMatch(/^verdict +content: \d+ words/m);
    expect(stderr).toMatch(/^encoding +utf-8/im);
    expect(stderr).toMatch(/^timings \(ms\).*fetch \d.*total \d/m);
    expect(stderr).toMatch(/^title +\S/m);
    expect(stderr).toMatch(/what a reader sees, with references\n\d+ elements, /);
    expect(stderr).toMatch(/^ *n\d+ h1 \S/m);
  });

  it("scrape --explain shows the attempts of a failed scrape", async () => {
    const { code, stdout, stderr } = await quarry("scrape", `${site.url}/endless`, "--explain");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^plan +http/m);
    expect(stderr).toMatch(/^tried +http \(basic\): SCRAPE_\w+ in \d+ ms$/m);
    expect(stderr).toMatch(/^timings \(ms\) .*fetch/m);
    expect(stderr).not.toMatch(/^verdict/m);
  });

  it("scrape prints lists by line and several formats as JSON, and writes files", async () => {
    const links = await quarry("scrape", `${site.url}/list`, "-f", "links");
    expect(links.stdout.split("\n")).toContain(`${site.url}/articles/10`);
    const both = await quarry(
      "scrape",
      `${site.url}/article`,
      "-f",
      "markdown,links",
      "--exclude",
      "h2",
      "--whole-page",
    );
    const document = JSON.parse(both.stdout) as { markdown: string; links: string[] };
    expect(document.markdown).toContain("Quay Street 4");
    expect(document.markdown).not.toContain("Basalt from the north");
    const file = path.join(folder, "page.md");
    const written = await quarry("scrape", `${site.url}/echo`, "-H", "X-Berth: 4", "-o", file);
    expect(written.stdout).toBe("");
    expect(await readFile(file, "utf8")).toContain('"x-berth":"4"');
  });

  it("scrape reports an error in one line with its exit code", async () => {
    const cases: [words: string[], text: string, exit?: number][] = [
      [["scrape", "http://10.0.0.1/"], "10.0.0.1", 3],
      [["scrape", "ftp://example.com/"], "unsupported protocol"],
      [["scrape", `${site.url}/tiny`, "-f", "poem"], "formats[0] must be one of"],
      [["scrape", `${site.url}/tiny`, "--api-key", "qy-wrong"], "Unauthorized"],
      [["scrape", `${site.url}/tiny`, "--api-key", "qy-wrong"], "--api-key or QUARRY_API_KEY"],
      [["scrape", `${site.url}/tiny`, "--api-url", "nonsense"], "--api-url must be"],
      [["scrape", `${site.url}/tiny`, "-o", path.join(folder, "none", "x")], "--out: "],
      [["scrape", `${site.url}/tiny`, "--api-url", "http://127.0.0.1:1"], "No answer from", 1],
    ];
    const check = async ([words, text, exit = 2]: (typeof cases)[number]): Promise<void> => {
      const { code, stdout, stderr } = await quarry(...words);
      expect(code, words.join(" ")).toBe(exit);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^quarry: .*\n$/);
      expect(stderr).toContain(text);
    };
    await Promise.all(cases.map(check));
  });

  it("keys create, list, rotate and revoke take effect at once in the running server", async () => {
    const made = await quarry(
      "keys",
      "create",
      "desk",
      "--credits",
      "7",
      "--requests-per-minute",
      "60",
    );
    expect(made.code, made.stderr).toBe(0);
    const first = made.stdout.trim();
    const id = /^Key (\S+):/m.exec(made.stderr)?.[1] ?? "";
    expect(await asks(server.url, first)).toBe(200);
    const list = await quarry("keys", "list");
    expect(list.stdout).toMatch(
      new RegExp(`^${id} +qy-\\S+… +valid +desk +7 credits +60 a minute`, "m"),
    );
    expect(list.stdout).not.toContain(first);
    const rotated = await quarry("keys", "rotate", id, "--grace", "0");
    const second = rotated.stdout.trim();
    expect([await asks(server.url, first), await asks(server.url, second)]).toEqual([401, 200]);
    expect((await quarry("keys", "revoke", id)).code).toBe(0);
    expect(await asks(server.url, second)).toBe(401);
    expect((await quarry("keys", "list")).stdout).toMatch(new RegExp(`^${id} .*revoked`, "m"));
    const unknown = await quarry("keys", "revoke", "not-an-id");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("no key with the id or name not-an-id");
  });

  it("doctor names the server and reports that it works", async () => {
    const { code, stdout } = await quarry("doctor");
    expect(stdout).toContain(`process ${server.pid} on ${server.url}`);
    expect(stdout).toMatch(/^No problems found\.$/m);
    expect(code).toBe(0);
  });

  it("quarry egress reports that the running server answered", async () => {
    const { stderr } = await quarry("egress", "10.0.0.1");
    expect(stderr).toBe(`Answered by the server on ${server.url}.\n`);
  });

  it("a second server on the same data folder fails with the reason", async () => {
    const { code, stderr } = await quarry("serve", "--port", "0");
    expect(code).toBe(1);
    expect(stderr).toContain(folder);
    expect(stderr).toContain(String(server.pid));
    expect(stderr).not.toContain("    at ");
    expect(await asks(server.url, key)).toBe(200);
  });

  it("serve names a port that is in use", async () => {
    const { code, stderr } = await quarry(
      "--data-dir",
      path.join(folder, "other"),
      "serve",
      "--port",
      new URL(server.url).port,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^quarry: Port \d+ on 127\.0\.0\.1 is in use\. .*QUARRY_PORT/m);
  });

  it("SIGTERM lets a running request finish, and the next start prints no key and accepts the old one", async () => {
    const url = `${site.url}/slow/headers?milliseconds=1200`;
    const running = fetch(`${server.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url }),
    });
    await expect
      .poll(() => site.requests.some((request) => request.url.startsWith("/slow/headers")))
      .toBe(true);
    const stopped = server.stop();
    const answer = await running;
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("tires the sea");
    // Well within QUARRY_SHUTDOWN_MS: keep-alive does not delay the shutdown.
    const answeredAt = performance.now();
    expect(await stopped).toBe(0);
    expect(performance.now() - answeredAt).toBeLessThan(30_000);
    expect(await exists(path.join(folder, "server.json"))).toBe(false);

    const again = await serve(environment);
    try {
      expect(again.stdout()).toMatch(/^Quarry \S+ listens on /);
      expect(again.stdout()).not.toMatch(/API key/);
      expect(await asks(again.url, key)).toBe(200);
    } finally {
      expect(await again.stop("SIGINT")).toBe(0);
    }
  });
});

/** Requests a page from a server without keys; returns when the site was asked for it. */
async function beginScrape(
  server: ServingProcess,
  target: string,
): Promise<{ readonly answer: Promise<Response> }> {
  const answer = fetch(`${server.url}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: site.url + target }),
  });
  await expect.poll(() => site.requests.some(({ url }) => url === target)).toBe(true);
  return { answer };
}

describe.skipIf(isRemote)("command line without a running server", () => {
  it("scrape works in its own process and leaves nothing in the data folder", async () => {
    const empty = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
    try {
      const inside = { ...environment, QUARRY_DATA_DIR: path.join(empty, "never") };
      const words = ["scrape", `${site.url}/article`, "--explain"];
      const { code, stdout, stderr } = await spawnCommand(words, inside);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain("Basalt from the north");
      expect(stderr).toContain("answered by   this process");
      expect(await exists(path.join(empty, "never"))).toBe(false);
    } finally {
      await rm(empty, { recursive: true, force: true });
    }
  });

  it("keys manages the data folder directly", async () => {
    const made = await quarry("keys", "create", "offline");
    expect(made.stdout).toMatch(/^qy-[\w-]{43}\n$/);
    const id = /^Key (\S+):/m.exec(made.stderr)?.[1] ?? "";
    expect((await quarry("keys", "list")).stdout).toMatch(
      new RegExp(`^${id} .*valid +offline`, "m"),
    );
  });

  it("doctor opens what it needs and says so", async () => {
    const { code, stdout } = await quarry("doctor");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("none runs on this data folder");
    expect(stdout).toMatch(/^No problems found\.$/m);
  });

  it("doctor counts its problems, exits with 1 and reports consistent results", async () => {
    const broken = {
      ...environment,
      QUARRY_MODEL: "openai/none",
      QUARRY_MODEL_BASE_URL: "http://127.0.0.1:1/v1",
      QUARRY_MODEL_API_KEY: "none",
    };
    const { code, stdout, stderr } = await run(["doctor"], broken);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(/^1 problem:\n {2}- model openai\/none does not work: /m);
    expect(stdout).not.toContain("No problems");
    const json = await run(["doctor", "--json"], broken);
    expect(JSON.parse(json.stdout)).toMatchObject({ problems: [expect.any(String)], server: null });
  });

  it("egress reports each address and exits with 3 for a refusal", async () => {
    const check = async (target: string): Promise<void> => {
      const refused = await quarry("egress", target);
      expect(refused.stdout, target).toContain("is refused");
      expect(refused.code, target).toBe(3);
    };
    const [allowed] = await Promise.all([
      quarry("egress", new URL(site.url).host),
      ...["10.0.0.1", "http://[::1]:80/", "2130706433", "169.254.169.254:80"].map(check),
    ]);
    expect(allowed.stdout).toMatch(/^127\.0\.0\.1:\d+ may be reached: /);
    expect(allowed.code).toBe(0);
  });

  it("serve lists all invalid settings at once", async () => {
    const { code, stderr } = await run(["doctor"], {
      ...environment,
      QUARRY_PORT: "many",
      QUARRY_LOG_LEVEL: "loud",
    });
    expect(code).toBe(2);
    expect(stderr).toContain("QUARRY_PORT");
    expect(stderr).toContain("QUARRY_LOG_LEVEL");
    expect(stderr).not.toContain("    at ");
  });

  it("--no-auth binds loopback only", async () => {
    const { code, stderr } = await quarry("serve", "--port", "0", "--no-auth", "--host", "0.0.0.0");
    expect(code).toBe(2);
    expect(stderr).toContain("QUARRY_HOST");
  });

  it("SIGTERM waits at most QUARRY_SHUTDOWN_MS and informs waiting callers", async () => {
    const server = await serve({ ...environment, QUARRY_SHUTDOWN_MS: "300" }, "--no-auth");
    const { answer: cut } = await beginScrape(server, "/slow/never?key=shutdown");
    const stopped = server.stop();
    const answer = await cut;
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ success: false, code: "UNAVAILABLE" });
    expect(await stopped).toBe(0);
  });

  it("SIGTERM lets a request finish that takes longer than ten seconds if allowed", async () => {
    const server = await serve({ ...environment, QUARRY_SHUTDOWN_MS: "30000" }, "--no-auth");
    const { answer: page } = await beginScrape(server, "/slow/headers?milliseconds=11000");
    const stopped = server.stop();
    expect((await page).status).toBe(200);
    expect(await stopped).toBe(0);
  }, 60_000);

  it("reports what fails when nothing can be stored", async () => {
    const server = await serveUntil(/^Requests are accepted/m, {
      ...environment,
      AWS_ACCESS_KEY_ID: "none",
      AWS_SECRET_ACCESS_KEY: "none",
      QUARRY_BLOBS: "s3://bucket/here?region=us-east-1&endpoint=http://127.0.0.1:9",
    });
    try {
      expect(server.stdout()).toMatch(/^Not ready: store: .*ECONNREFUSED/m);
      expect(server.stdout()).not.toContain("Ready.");
    } finally {
      await server.stop();
    }
  });

  it("--no-auth says so and asks for no key", async () => {
    const open = await serve(environment, "--no-auth");
    try {
      expect(open.stdout()).toContain("API keys are not required");
      expect((await fetch(`${open.url}/v2/team/queue-status`)).status).toBe(200);
    } finally {
      await open.stop();
    }
  });
});

// The exit codes of src/cli/terminal/exit-codes.ts, command by command, as a script sees them.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  run,
  serve,
  type Environment,
  type Outcome,
  type ServingProcess,
} from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, closedSite, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";
import { BLOCKED_PAGES } from "../../verdict/blocked-pages.ts";

const CHALLENGE = BLOCKED_PAGES.find(({ name }) => name.startsWith("Cloudflare managed"));
const LOGIN =
  '<title>Log in</title><main><h1>Log in</h1><form action="/in" method="post"><input name="user"><input type="password" name="word"><button>Log in</button></form></main>';
const SHELL =
  '<title>App</title><div id="root"></div><script src="/app.js"></script><noscript>You need to enable JavaScript to run this app.</noscript>';
const PEOPLE =
  "<title>Harbour staff</title><main><h1>Harbour staff</h1><p>The harbour is kept by three people all year, who answer in writing.</p><dl><dt>Name</dt><dd>Ada Berg</dd></dl></main>";

let base: string;
let folder: string;
let environment: Environment;
let server: ServingProcess;
const quarry = (...words: string[]): Promise<Outcome> => run(words, environment);
const inFolder = (...names: string[]): string => path.join(folder, ...names);

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const send = (status: number, html: string, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { "content-type": "text/html", ...headers }).end(html);
    switch (request.url) {
      case "/challenge":
        return send(403, CHALLENGE?.html ?? "", { "cf-mitigated": "challenge" });
      case "/login":
        return send(200, LOGIN);
      case "/shell":
        return send(200, SHELL);
      case "/empty":
        return send(200, "");
      case "/missing":
        return send(404, "<title>Gone</title><main><h1>Nothing is here any more</h1></main>");
      case "/broken":
        return send(500, "<title>Oops</title><main><h1>Something broke</h1></main>");
      case "/never":
        return;
      default:
        return send(200, PEOPLE);
    }
  }));
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1,127.0.0.2" };
  server = await serve(environment);
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(isRemote)("exit codes of scrape", () => {
  it("scrape exits with 0 for content, with nothing on standard error", async () => {
    const { code, stdout, stderr } = await quarry("scrape", `${base}/`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^# Harbour staff/);
  });

  it.each([
    ["/challenge", "bot_check", "returned a check that the visitor is human"],
    ["/login", "login", "returned a login form"],
    ["/shell", "empty_shell", "returned an application whose text"],
    ["/empty", "empty", "returned no text at all"],
  ])(
    "scrape exits with 3 and prints nothing on standard output for %s",
    async (page, verdict, text) => {
      const { code, stdout, stderr } = await quarry("scrape", base + page);
      expect([code, stdout], stderr).toEqual([3, ""]);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).toMatch(new RegExp(`^quarry: http://127\\.0\\.0\\.1:\\d+${page} `, "m"));
      expect(stderr).toContain(text);
      const json = await quarry("scrape", base + page, "--json");
      expect(json.code).toBe(3);
      expect(JSON.parse(json.stdout)).toMatchObject({ metadata: { verdict } });
      expect(JSON.parse(json.stderr)).toMatchObject({ success: false, code: verdict, exitCode: 3 });
    },
  );

  it("scrape --on-blocked return prints the text of a login page and still exits with 3", async () => {
    const { code, stdout } = await quarry("scrape", `${base}/login`, "--on-blocked", "return");
    expect(code).toBe(3);
    expect(stdout).toContain("Log in");
  });

  it("scrape writes no file for a bot check", async () => {
    const file = inFolder("challenge.md");
    expect((await quarry("scrape", `${base}/challenge`, "-o", file)).code).toBe(3);
    expect(await readdir(folder)).not.toContain("challenge.md");
  });

  it.each(["/missing", "/broken"])(
    "scrape prints the error page %s and exits with 3 with --fail",
    async (page) => {
      const shown = await quarry("scrape", base + page);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toMatch(/^# \w/);
      const { code, stdout, stderr } = await quarry("scrape", base + page, "--fail");
      expect([code, stdout]).toEqual([3, ""]);
      expect(stderr).toMatch(/^quarry: \S+ answered with status (404|500)\.$/m);
    },
  );

  it("scrape exits with 3 for a silent site, 4 for a timeout, 2 for a wrong call, 1 without the server", async () => {
    const closed = await closedSite();
    const cases: [number, string[]][] = [
      [3, ["scrape", `${closed}/`]],
      [3, ["scrape", "http://10.0.0.1/"]],
      [4, ["scrape", `${base}/never`, "--timeout", "1000"]],
      [2, ["scrape", `${base}/`, "--api-key", "qy-wrong"]],
      [2, ["scrape", `${base}/`, "--no-such-option"]],
      [2, ["scrape"]],
      [1, ["scrape", `${base}/`, "--api-url", closed]],
    ];
    for (const [exit, words] of cases) {
      const { code, stdout, stderr } = await quarry(...words);
      expect(code, `${words.join(" ")}: ${stderr}`).toBe(exit);
      expect(stdout).toBe("");
      const json = await quarry(...words, "--json");
      expect(json.code).toBe(exit);
      expect(JSON.parse(json.stderr), words.join(" ")).toMatchObject({
        success: false,
        code: expect.any(String) as string,
        error: expect.any(String) as string,
        exitCode: exit,
      });
    }
  });

  it("scrape exits with 4 for a key without credits", async () => {
    const key = (await quarry("keys", "create", "poor", "--credits", "0")).stdout.trim();
    const { code, stderr } = await quarry("scrape", `${base}/?poor`, "--api-key", key);
    expect(code, stderr).toBe(4);
  });
});

describe.skipIf(isRemote)("output of scrape", () => {
  const schema = JSON.stringify({
    type: "object",
    properties: { name: { type: "string" } },
  });

  it("scrape --schema prints only the data from inline or file schemas, and --json the whole answer", async () => {
    const file = inFolder("schema.json");
    await writeFile(file, schema);
    for (const given of [schema, file]) {
      const { code, stdout, stderr } = await quarry("scrape", `${base}/`, "--schema", given);
      expect(code, stderr).toBe(0);
      expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["name"]);
    }
    const whole = await quarry("scrape", `${base}/`, "--schema", schema, "--json");
    expect(JSON.parse(whole.stdout)).toMatchObject({
      json: { name: expect.any(String) as string },
      metadata: { verdict: "content" },
    });
  });

  it("scrape exits with 3 when the page has none of the requested data", async () => {
    const unknown = JSON.stringify({
      type: "object",
      properties: { tonnage: { type: ["number", "null"] } },
    });
    const { code, stderr } = await quarry("scrape", `${base}/`, "--schema", unknown);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("contains none of the requested data"),
    ]);
  });

  it("scrape writes each of several formats to a file in a folder", async () => {
    const out = inFolder("formats");
    const { code, stderr } = await quarry(
      "scrape",
      `${base}/`,
      "-f",
      "markdown,rawHtml",
      "-o",
      out,
    );
    expect(code, stderr).toBe(0);
    expect((await readdir(out)).toSorted()).toEqual(["metadata.json", "page.md", "raw.html"]);
    expect(await readFile(path.join(out, "raw.html"), "utf8")).toBe(`${PEOPLE}\n`);
  });

  it("scrape rejects several formats for one file before scraping", async () => {
    const { code, stderr } = await quarry(
      "scrape",
      `${base}/x`,
      "-f",
      "markdown,links",
      "-o",
      "x.md",
    );
    expect(code).toBe(2);
    expect(stderr).toContain("2 formats do not fit into x.md");
  });
});

describe.skipIf(isRemote)("exit codes of other commands", () => {
  it("parse exits with 2 for a missing file and 0 for a file with text", async () => {
    expect((await quarry("parse", inFolder("none.pdf"))).code).toBe(2);
    const file = inFolder("boats.csv");
    await writeFile(file, "boat,metres\nHeron,12\n");
    expect((await quarry("parse", file)).code).toBe(0);
  });

  it("crawl and batch exit with 3 without any page, 4 because of a limit, and 2 for an unknown id", async () => {
    const closed = await closedSite();
    expect((await quarry("crawl", `${closed}/`)).code).toBe(3);
    const urls = inFolder("urls.txt");
    await writeFile(urls, `${closed}/a\n${closed}/b\n`);
    expect((await quarry("batch", urls)).code).toBe(3);
    const timeout = ["--timeout", "1000"];
    const slow = await quarry("crawl", `${base}/never`, ...timeout, "--json");
    expect(slow.code, slow.stderr).toBe(4);
    expect(JSON.parse(slow.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      event: "ended",
      status: "failed",
      code: "SCRAPE_TIMEOUT",
    });
    await writeFile(urls, `${base}/never\n`);
    expect((await quarry("batch", urls, ...timeout)).code).toBe(4);
    expect((await quarry("crawl", "0199f0c0-0000-7000-8000-000000000001")).code).toBe(2);
  });

  it("agent exits with 1 and names what rules cannot decide without a model", async () => {
    const list = JSON.stringify({
      type: "array",
      items: { type: "object", properties: { isbn: { type: "string" } }, required: ["isbn"] },
    });
    const words = ["agent", "all books with ISBN", "--url", `${base}/shell-less`, "--strict"];
    const { code, stdout, stderr } = await quarry(...words, "--schema", list);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(/^(\[\]|null|)\s*$/);
    expect(stderr).toContain("This request needs a language model");
  });

  it("agent exits with 4 when its next step could exceed the credits", async () => {
    const words = ["agent", "name of who keeps the harbour", "--url", `${base}/`, "--max-credits"];
    const { code, stderr } = await quarry(...words, "0", "--json");
    expect(code, stderr).toBe(4);
    const failure = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as object;
    expect(failure).toMatchObject({ code: "INSUFFICIENT_CREDITS", exitCode: 4 });
  });

  it("keys exits with 2 for an unknown key and egress with 3 for a refused host", async () => {
    expect((await quarry("keys", "revoke", "nobody")).code).toBe(2);
    expect((await quarry("egress", "10.0.0.1")).code).toBe(3);
  });

  it("help exit-codes and exit-codes list every code", async () => {
    for (const words of [["help", "exit-codes"], ["exit-codes"]]) {
      const { code, stdout } = await quarry(...words);
      expect(code).toBe(0);
      for (const exit of [0, 1, 2, 3, 4, 130])
        expect(stdout).toMatch(new RegExp(`^ {2}${exit} `, "m"));
    }
    expect(JSON.parse((await quarry("exit-codes", "--json")).stdout)).toHaveLength(6);
  });
});

describe.skipIf(isRemote)("output folders", () => {
  it("scrape accepts an existing folder for a single format", async () => {
    const out = inFolder("made");
    await mkdir(out);
    await quarry("scrape", `${base}/`, "-o", out);
    expect(await readFile(path.join(out, "page.md"), "utf8")).toMatch(/^# Harbour staff/);
  });
});

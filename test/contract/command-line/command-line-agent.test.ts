// `quarry agent` in a separate process without server and model: the README example.
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run, runUntil, type Environment } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote } from "../../service.ts";
import { PEOPLE, STAFF_SCHEMA, staffDirectory, startPages } from "../../site/agent-sites.ts";

let folder: string;
let environment: Environment;
beforeAll(async () => {
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1" };
  const schema = { ...STAFF_SCHEMA.properties.staff, title: "Staff" };
  await writeFile(path.join(folder, "staff.json"), JSON.stringify(schema));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it.skipIf(isRemote)(
  "quarry agent writes a three-level staff directory as a JSON array and steps to standard error",
  { timeout: 120_000 },
  async () => {
    const pages = staffDirectory();
    const last = String(pages["/people/lars-yilmaz"]);
    pages["/people/lars-yilmaz"] = (_request, response) =>
      void setTimeout(() => response.setHeader("content-type", "text/html").end(last), 1_500);
    await using site = await startPages(pages);
    const out = path.join(folder, "people.json");
    const words = ["agent", "all members of staff with title, e-mail, phone and department"];
    const options = ["--url", site.url, "--schema", path.join(folder, "staff.json"), "--out", out];
    const { code, stderr } = await run([...words, ...options], environment);
    expect(code, stderr).toBe(0);
    const people = JSON.parse(await readFile(out, "utf8")) as { email: string; name: string }[];
    expect(people.map(({ email }) => email).toSorted()).toEqual(
      PEOPLE.map(({ email }) => email).toSorted(),
    );
    expect(stderr).toContain(`> scrape ${site.url}/ (given by the request)`);
    expect(stderr).toContain("scrape 200");
    expect(stderr).toContain("No language model was used");
    expect(stderr).toMatch(/^ {2}\d+ credits so far$/m);
    expect(stderr).toMatch(/^\d+ credits\.$/m);
  },
);

it.skipIf(isRemote)(
  "Ctrl-C stops the agent run and prints what was found so far",
  { timeout: 120_000 },
  async () => {
    const hanging = Promise.withResolvers<void>();
    await using site = await startPages({
      "/": `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/slow">upload limit</a></main>`,
      "/slow": () => hanging.resolve(),
    });
    const words = ["agent", "upload limit", "--url", site.url];
    const { code, stdout, stderr } = await runUntil(hanging.promise, words, environment);
    expect(code, stderr).toBe(130);
    expect(stdout).toContain("250 MB");
    expect(stderr).toContain("Stopping");
  },
);

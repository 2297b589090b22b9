// The audio format over HTTP: where audio is found, what it is converted to, and what fails.
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectContainer } from "../../../src/audio/container.ts";
import { LIMITS } from "../../../src/contract/request/limits.ts";
import { FFMPEG, makeMedia } from "../../ffmpeg.ts";
import { toneWav } from "../../media.ts";
import { startService, type Answer, type Service } from "../../service.ts";

const SECONDS = 3;
let service: Service;
let server: Server;
let base: string;
const files = new Map<string, readonly [type: string, body: string | Buffer]>();
const seen: { path: string; query: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  const { "a.mp3": mp3 = Buffer.alloc(0) } = await makeMedia(SECONDS, "a.mp3");
  const { "a.m4a": m4a = Buffer.alloc(0) } = await makeMedia(SECONDS, "-c:a", "aac", "a.m4a");
  const { "a.ogg": ogg = Buffer.alloc(0) } = await makeMedia(SECONDS, "-c:a", "libvorbis", "a.ogg");
  const film = await makeMedia(
    SECONDS,
    ..."-f lavfi -i color=red:s=64x64:r=5 -t 3 -c:v libx264 -c:a aac film.mp4".split(" "),
  );
  const pieces = await makeMedia(
    SECONDS,
    ..."-c:a aac -f hls -hls_time 1 -hls_list_size 0 list.m3u8".split(" "),
  );
  const list = String(pieces["list.m3u8"]);
  for (const [name, body] of Object.entries({ ...film, ...pieces }))
    files.set(`/media/${name}`, ["application/octet-stream", body]);
  files.set("/media/a.mp3", ["audio/mpeg", mp3]);
  files.set("/media/a.m4a", ["audio/mp4", m4a]);
  files.set("/media/a.ogg", ["application/ogg", ogg]);
  files.set("/media/a.wav", ["audio/wav", toneWav(SECONDS)]);
  files.set("/media/long.wav", ["audio/wav", toneWav(200)]);
  files.set("/media/master.m3u8", [
    "application/vnd.apple.mpegurl",
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.4d001f"\nsilent.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=9\nhigh.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=5,CODECS="mp4a.40.2"\nlist.m3u8\n',
  ]);
  files.set("/media/secret.m3u8", [
    "application/vnd.apple.mpegurl",
    list.replace("#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="key"\n#EXTINF'),
  ]);
  files.set("/media/live.m3u8", [
    "application/vnd.apple.mpegurl",
    list.replace("#EXT-X-ENDLIST", ""),
  ]);
  files.set("/media/trap.mp4", [
    "video/mp4",
    "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
  ]);
  files.set("/media/private.mp3", ["audio/mpeg", ""]);
  const page = (name: string, body: string, head = ""): void => {
    files.set(name, [
      "text/html",
      `<!doctype html><head>${head}</head><h1>Listen</h1><p>Words about it.</p>${body}`,
    ]);
  };
  page(
    "/player",
    '<video src="/media/film.mp4"></video><audio><source src="/media/a.ogg"><source src="/media/a.mp3" type="audio/mpeg"></audio>',
  );
  page("/m4a", '<audio src="media/a.m4a"></audio>');
  page("/film", '<video><source src="/media/film.mp4" type="video/mp4"></video>');
  page("/og", "", '<meta property="og:audio" content="/media/a.wav">');
  page(
    "/linked",
    "",
    '<script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"/media/a.mp3"}}</script>',
  );
  page("/stream", '<video src="/media/master.m3u8"></video>');
  page(
    "/gone",
    '<audio src="/media/none.mp3"></audio><a rel="enclosure" href="/media/a.mp3">file</a>',
  );
  page("/secret", '<video src="/media/secret.m3u8"></video>');
  page("/live", '<video src="/media/live.m3u8"></video>');
  page("/trap", '<video src="/media/trap.mp4"></video>');
  page("/long", '<audio src="/media/long.wav"></audio>');
  page("/inside", '<audio src="http://10.0.0.1/a.mp3"></audio>');
  page("/silent", "<p>No player here.</p>");
  files.set("/feed", [
    "application/rss+xml",
    '<rss><channel><title>Show</title><item><title>One</title><enclosure url="/media/a.mp3" type="audio/mpeg"/></item></channel></rss>',
  ]);

  server = createServer((request, response) => {
    const [where = "", query = ""] = (request.url ?? "").split("?");
    seen.push({ path: where, query, headers: request.headers });
    const [type, body] = files.get(where) ?? ["text/plain", undefined];
    if (body === undefined) return void response.writeHead(404).end("none");
    response.writeHead(200, { "content-type": type }).end(body);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as { port: number };
  base = `http://127.0.0.1:${port}`;
  service = await startService(undefined, {
    egressAllow: [`127.0.0.1:${port}`],
    ffmpeg: FFMPEG,
    audioMaxMiB: 2,
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  server.close();
});

const ask = async (where: string, more: object = {}): Promise<Answer> =>
  await service.scrape({ url: base + where, formats: ["audio"], maxAge: 0, ...more });

/** Downloads the file of a link. */
async function listen(where: string): Promise<Buffer> {
  const { status, body } = await ask(where);
  expect(status, JSON.stringify(body)).toBe(200);
  const answer = await fetch(body.data?.audio ?? "");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  return Buffer.from(await answer.arrayBuffer());
}

describe("audio format", () => {
  it("returns MP3 unchanged behind a signed link for one hour and charges four extra credits", async () => {
    expect(await listen("/player")).toEqual(files.get("/media/a.mp3")?.[1]);
    const { body } = await ask("/player");
    expect(body.data?.metadata.creditsUsed).toBe(5);
    const link = new URL(body.data?.audio ?? "");
    const lifeMs = Number(link.searchParams.get("expires")) - Date.now();
    expect(lifeMs).toBeGreaterThan(LIMITS.audio.urlLifeMs - 60_000);
    expect(lifeMs).toBeLessThanOrEqual(LIMITS.audio.urlLifeMs);
    link.searchParams.set("signature", "A".repeat(43));
    expect((await fetch(link)).status).toBe(403);
  });

  it.each(["/m4a", "/film", "/og", "/stream", "/media/a.wav"])(
    "converts audio of %s to MP3",
    async (where) => {
      const bytes = await listen(where);
      expect(detectContainer(bytes)).toBe("mp3");
      // This many bytes of quality 4 last about this long: nothing was truncated.
      expect(bytes.length).toBeGreaterThan(SECONDS * 1_500);
    },
    30_000,
  );

  it.each(["/linked", "/feed", "/gone"])("finds audio of %s", async (where) => {
    expect(await listen(where)).toEqual(files.get("/media/a.mp3")?.[1]);
  });

  it("returns audio together with other formats", async () => {
    const { body } = await ask("/player", { formats: ["markdown", "audio"] });
    expect(body.data?.markdown).toContain("Words about it.");
    expect(body.data?.audio).toContain("/blobs/");
  });

  it.each([
    ["/silent", "names none"],
    ["/secret", "encrypted (AES-128)"],
    ["/live", "no end"],
    ["/trap", "http or https"],
    ["/long", "2"],
    ["/inside", "10.0.0.1"],
  ])("returns a clear error for audio of %s", async (where, reason) => {
    const { status, body } = await ask(where);
    expect([status, body.code]).toEqual([500, "SCRAPE_AUDIO_UNSUPPORTED_URL"]);
    expect(body.error).toContain(reason);
  });

  it("sends the caller's headers to audio on the page's own site only", async () => {
    const other = base.replace("127.0.0.1", "localhost");
    files.set("/two", [
      "text/html",
      `<audio src="/media/none.mp3"></audio><audio src="${other}/media/none.mp3?other"></audio>`,
    ]);
    seen.length = 0;
    await ask("/two", { headers: { "X-Token": "secret" } });
    const own = seen.filter((request) => request.path === "/media/none.mp3");
    expect(own.map(({ headers }) => headers["x-token"])).toContain("secret");
    const foreign = own.filter(({ headers }) => String(headers["host"]).startsWith("localhost"));
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.every(({ headers }) => headers["x-token"] === undefined)).toBe(true);
  });

  it("rejects audio with zero data retention", async () => {
    const { status, body } = await ask("/player", { zeroDataRetention: true });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain("audio cannot be combined with zeroDataRetention");
  });

  it("returns MP3 without ffmpeg and names ffmpeg for other audio", async () => {
    const without = await startService(undefined, {
      egressAllow: [new URL(base).host],
      ffmpeg: "off",
    });
    try {
      const found = await without.page({ url: `${base}/player`, formats: ["audio"], maxAge: 0 });
      expect(found.audio).toContain("/blobs/");
      const { body } = await without.scrape({ url: `${base}/m4a`, formats: ["audio"], maxAge: 0 });
      expect(body).toMatchObject({ code: "SCRAPE_AUDIO_UNSUPPORTED_URL" });
      expect(body.error).toContain("needs ffmpeg. It is turned off by QUARRY_FFMPEG=off");
    } finally {
      await without.close();
    }
  });

  it("runs the configured yt-dlp, whose connections pass the gate", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-yt-dlp-"));
    const program = path.join(folder, "yt-dlp");
    // The substitute for yt-dlp requests two URLs through its proxy and stores the answers.
    await writeFile(
      program,
      `#!${process.execPath}
const { get } = require("node:http");
const { writeFileSync } = require("node:fs");
const value = (name) => process.argv[process.argv.indexOf(name) + 1];
const proxy = new URL(value("--proxy"));
const page = new URL(process.argv.at(-1));
const ask = (url, done) => get({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host } }, (answer) => {
  const parts = [];
  answer.on("data", (part) => parts.push(part)).on("end", () => done("answered", Buffer.concat(parts)));
}).on("error", () => done("refused", Buffer.alloc(0)));
ask("http://10.0.0.1/", (status) => ask(new URL("/media/a.mp3?inside=" + status, page).href, (_, body) =>
  writeFileSync(value("--paths") + "/sound.mp3", body)));
`,
    );
    await chmod(program, 0o755);
    const named = await startService(undefined, {
      egressAllow: [new URL(base).host],
      ytDlp: program,
    });
    try {
      seen.length = 0;
      const found = await named.page({ url: `${base}/silent`, formats: ["audio"], maxAge: 0 });
      const answer = await fetch(found.audio ?? "");
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(files.get("/media/a.mp3")?.[1]);
      const asked = seen.find((request) => request.path === "/media/a.mp3");
      expect(asked?.query).toBe("inside=refused");
      expect(await readdir(path.join(named.dataDir, "audio"))).toEqual([]);
    } finally {
      await named.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

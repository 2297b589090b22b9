import { describe, expect, it } from "vitest";
import { readPlaylist } from "./hls.ts";

const BASE = "https://a.example/live/index.m3u8";
const read = (...lines: string[]) => readPlaylist(["#EXTM3U", ...lines].join("\n"), BASE);

describe("readPlaylist", () => {
  it("selects the audio-only rendition of a master playlist", () => {
    const list = read(
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",URI="words.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Other, told",URI="other.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Main",DEFAULT=YES,URI="../sound/main.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=100,AUDIO="a"',
      "low.m3u8",
    );
    expect(list).toEqual({ kind: "master", url: "https://a.example/sound/main.m3u8" });
  });

  it("selects the cheapest variant with audio of a master playlist without renditions", () => {
    const list = read(
      '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.4d001f"',
      "silent.m3u8",
      '#EXT-X-STREAM-INF:BANDWIDTH=90,CODECS="avc1.4d001f,mp4a.40.2"',
      "high.m3u8",
      "#EXT-X-STREAM-INF:BANDWIDTH=20",
      "",
      "# a remark",
      "low.m3u8",
    );
    expect(list).toEqual({ kind: "master", url: "https://a.example/live/low.m3u8" });
    expect(read('#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1"', "v.m3u8")).toMatchObject({
      url: undefined,
    });
  });

  it("lists the segments of a media playlist in order, with byte ranges", () => {
    const list = read(
      '#EXT-X-MAP:URI="all.mp4",BYTERANGE="100@0"',
      "#EXTINF:4.5,",
      "#EXT-X-BYTERANGE:50@100",
      "all.mp4",
      "#EXTINF:4,Title",
      "#EXT-X-BYTERANGE:60",
      "all.mp4",
      "#EXTINF:1,",
      "https://b.example/last.mp4",
      "#EXT-X-ENDLIST",
    );
    expect(list).toEqual({
      kind: "media",
      seconds: 9.5,
      isCut: false,
      isLive: false,
      encryption: undefined,
      pieces: [
        { url: "https://a.example/live/all.mp4", range: { from: 0, length: 100 } },
        { url: "https://a.example/live/all.mp4", range: { from: 100, length: 50 } },
        { url: "https://a.example/live/all.mp4", range: { from: 150, length: 60 } },
        { url: "https://b.example/last.mp4", range: undefined },
      ],
    });
  });

  it("reports encryption and a missing end, and ignores a key of NONE", () => {
    expect(read("#EXT-X-KEY:METHOD=NONE", "a.ts", "#EXT-X-ENDLIST")).toMatchObject({
      isLive: false,
      encryption: undefined,
    });
    expect(read('#EXT-X-KEY:METHOD=AES-128,URI="k"', "a.ts")).toMatchObject({
      isLive: true,
      encryption: "AES-128",
    });
  });

  it("returns undefined for a text that is not a playlist", () => {
    expect(readPlaylist("a.ts\n#EXTM3U", BASE)).toBeUndefined();
    expect(readPlaylist("", BASE)).toBeUndefined();
  });
});

describe("readPlaylist cost", () => {
  it.each([
    ["empty lines", "#EXT-X-STREAM-INF:BANDWIDTH=1\n", "\n"],
    ["one attribute without a value", "#EXT-X-STREAM-INF:", "A"],
    ["variants", "", "#EXT-X-STREAM-INF:BANDWIDTH=1\n"],
  ])("parses a playlist in linear time: %s", (_, start, unit) => {
    const text = `#EXTM3U\n${start}${unit.repeat(Math.floor(400_000 / unit.length))}\nlow.m3u8\n`;
    const before = process.cpuUsage();
    readPlaylist(text, BASE);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});

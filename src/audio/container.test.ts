import { describe, expect, it } from "vitest";
import { silentMp3, toneWav } from "../../test/media.ts";
import { detectContainer, isMp3 } from "./container.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

describe("detectContainer", () => {
  it.each([
    ["wav", toneWav(0.1)],
    ["mov", bytes("\0\0\0\x20ftypM4A ")],
    ["ogg", bytes("OggS\0")],
    ["flac", bytes("fLaC\0")],
    ["matroska", bytes("\x1A\x45\xDF\xA3\x9F")],
    ["mpegts", bytes(`G${"\0".repeat(187)}G`)],
    ["aac", bytes("\xFF\xF1\x50\x80")],
    ["aiff", bytes("FORM\0\0\0\0AIFF")],
    ["mp3", silentMp3(0.1)],
    ["mp3", Buffer.concat([bytes("ID3\x04\0\0\0\0\x02\0"), Buffer.alloc(256), silentMp3(0.1)])],
  ])("detects %s by its bytes", (name, file) => {
    expect(detectContainer(file)).toBe(name);
  });

  it.each([
    "",
    "#EXTM3U\nfile:///etc/passwd",
    "ffconcat version 1.0\nfile x",
    "<html>",
    "v=0\no=- 0 0",
  ])("does not detect %j as media", (text) => {
    expect(detectContainer(bytes(text))).toBeUndefined();
  });

  it("detects MP3 only by consecutive frames", () => {
    const one = silentMp3(0.02);
    expect(isMp3(Buffer.concat([one, Buffer.from("this is no frame at all")]))).toBe(false);
    expect(isMp3(Buffer.concat([Buffer.from("junk before"), silentMp3(0.2)]))).toBe(true);
    expect(isMp3(bytes("ID3\x04\0\0\x7F\x7F\x7F\x7F"))).toBe(false);
  });
});

import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { decodeText } from "./charset.ts";

const JAPANESE =
  "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。";
const CHINESE =
  "我们在这里介绍如何安装和使用这个软件。首先请下载最新的版本，然后按照说明进行设置。如果有问题，请联系我们的客户服务人员。中国的互联网发展很快。";
const TAIWANESE =
  "我們在這裡介紹如何安裝和使用這個軟體。首先請下載最新的版本，然後按照說明進行設定。如果有問題，請聯絡我們的客戶服務人員。台灣的網路發展很快。";
const KOREAN =
  "이 문서는 프로그램을 설치하고 사용하는 방법을 설명합니다. 먼저 최신 버전을 내려받은 다음 안내에 따라 설정하십시오. 문제가 있으면 고객 지원 센터로 연락해 주십시오.";
const RUSSIAN =
  "В этой статье мы расскажем, как установить и настроить программу на вашем компьютере. Сначала скачайте последнюю версию, затем следуйте инструкциям.";
const GREEK =
  "Σε αυτό το άρθρο θα δούμε πώς να εγκαταστήσετε και να ρυθμίσετε το πρόγραμμα στον υπολογιστή σας. Πρώτα κατεβάστε την τελευταία έκδοση.";
const FRENCH = "Le garçon a mangé une crêpe près de la forêt, où l’été s’achève déjà.";

const buildPage = (text: string, head = "") =>
  `<!doctype html><html><head>${head}<title>${text.slice(0, 20)}</title></head><body><p>${text}</p></body></html>`;
const buildMeta = (charset: string) => `<meta charset="${charset}">`;

const CASES: readonly (readonly [name: string, encoding: string, text: string])[] = [
  ["Shift_JIS", "shift_jis", JAPANESE],
  ["EUC-JP", "euc-jp", JAPANESE],
  ["GBK", "gbk", CHINESE],
  ["gb18030", "gb18030", CHINESE],
  ["Big5", "big5", TAIWANESE],
  ["EUC-KR", "euc-kr", KOREAN],
  ["windows-1251", "windows-1251", RUSSIAN],
  ["KOI8-R", "koi8-r", RUSSIAN],
  ["windows-1253", "windows-1253", GREEK],
];

describe("decodeText with a correct declaration", () => {
  it.each(CASES)("decodes %s declared by the header", (name, encoding, text) => {
    const bytes = iconv.encode(buildPage(text), encoding);
    const decoded = decodeText(bytes, `text/html; charset=${name}`);
    expect(decoded.text).toBe(buildPage(text));
    expect(decoded.source).toBe("header");
  });

  it.each(CASES)("decodes %s declared by the page", (name, encoding, text) => {
    const html = buildPage(text, buildMeta(name));
    const decoded = decodeText(iconv.encode(html, encoding), "text/html");
    expect(decoded.text).toBe(html);
    expect(decoded.source).toBe("page");
  });

  it("reads the encoding from an XML declaration and from http-equiv", () => {
    const xml = `<?xml version="1.0" encoding="windows-1251"?><html><body>${RUSSIAN}</body></html>`;
    expect(decodeText(iconv.encode(xml, "windows-1251"), "application/xhtml+xml").text).toBe(xml);
    const html = buildPage(
      RUSSIAN,
      `<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>`,
    );
    expect(decodeText(iconv.encode(html, "koi8-r"), "").text).toBe(html);
  });

  it("ignores an encoding declaration inside a comment", () => {
    const html = buildPage(FRENCH, `<!-- <meta charset="koi8-r"> -->${buildMeta("windows-1252")}`);
    expect(decodeText(iconv.encode(html, "windows-1252"), "text/html").text).toBe(html);
  });
});

describe("decodeText without a declaration", () => {
  it.each(CASES)("detects %s from the bytes", (_name, encoding, text) => {
    const decoded = decodeText(iconv.encode(buildPage(text), encoding), "text/html");
    expect(decoded.text).toBe(buildPage(text));
    expect(decoded.source).toBe("bytes");
  });

  it("decodes undeclared UTF-8, French windows-1252 and plain ASCII", () => {
    expect(decodeText(Buffer.from(buildPage(CHINESE)), "text/html")).toMatchObject({
      text: buildPage(CHINESE),
      charset: "utf-8",
      source: "bytes",
    });
    expect(decodeText(iconv.encode(buildPage(FRENCH), "windows-1252"), "text/html").text).toBe(
      buildPage(FRENCH),
    );
    expect(decodeText(Buffer.from("<p>Hello"), "text/html")).toEqual({
      text: "<p>Hello",
      charset: "utf-8",
      source: "default",
    });
  });

  it("decodes ISO-2022-JP and UTF-16 without a byte order mark", () => {
    const japanese = Buffer.from("\x1b$B$3$s$K$A$O\x1b(B <b>", "latin1");
    expect(decodeText(japanese, "text/html").text).toBe("こんにちは <b>");
    expect(decodeText(iconv.encode(buildPage("Hello"), "utf-16le"), "text/html").text).toBe(
      buildPage("Hello"),
    );
    expect(decodeText(iconv.encode(buildPage(RUSSIAN), "utf-16be"), "text/html").text).toBe(
      buildPage(RUSSIAN),
    );
  });
});

describe("decodeText with a wrong declaration", () => {
  it.each(["iso-8859-1", "windows-1252", "windows-1251", "gb2312", "big5"])(
    "decodes valid UTF-8 that is declared %s",
    (label) => {
      const decoded = decodeText(Buffer.from(buildPage(CHINESE)), `text/html; charset=${label}`);
      expect(decoded.text).toBe(buildPage(CHINESE));
      expect(decoded.charset).toBe("utf-8");
    },
  );

  it.each(CASES)("decodes %s that is declared UTF-8", (_name, encoding, text) => {
    const html = buildPage(text, buildMeta("utf-8"));
    expect(decodeText(iconv.encode(html, encoding), "text/html; charset=utf-8").text).toBe(html);
  });

  it.each(CASES)("decodes %s from a server that declares ISO-8859-1", (name, encoding, text) => {
    const html = buildPage(text, buildMeta(name));
    expect(decodeText(iconv.encode(html, encoding), "text/html; charset=ISO-8859-1").text).toBe(
      html,
    );
  });

  it("keeps UTF-8 with a few broken bytes and replaces them", () => {
    const broken = Buffer.concat([Buffer.from(buildPage(RUSSIAN)), Buffer.from([0xe2, 0x82])]);
    const decoded = decodeText(broken, "text/html; charset=utf-8");
    expect(decoded.charset).toBe("utf-8");
    expect(decoded.text).toBe(`${buildPage(RUSSIAN)}\uFFFD`);
  });

  it("keeps a short declared GBK text that happens to be valid UTF-8", () => {
    expect(decodeText(iconv.encode("<b>联通</b>", "gbk"), "text/html; charset=gbk").text).toBe(
      "<b>联通</b>",
    );
  });

  it("handles charset labels that no decoder knows", () => {
    for (const label of ["none", "utf-99", "", "x".repeat(5_000), '"']) {
      expect(decodeText(Buffer.from("é"), `text/html; charset=${label}`).text).toBe("é");
    }
  });
});

describe("decodeText and the byte order mark", () => {
  it("prefers the byte order mark over the header and removes it from the text", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), iconv.encode(JAPANESE, "utf-16le")]);
    expect(decodeText(utf16, "text/html; charset=shift_jis")).toEqual({
      text: JAPANESE,
      charset: "utf-16le",
      source: "bom",
    });
    expect(decodeText(Buffer.from(`\uFEFF${FRENCH}`), "text/html; charset=latin1").text).toBe(
      FRENCH,
    );
  });
});

describe("decodeText and other types", () => {
  it("ignores encoding declarations inside plain text and JSON", () => {
    const json = JSON.stringify({ text: `<meta charset="koi8-r"> ${RUSSIAN}` });
    expect(decodeText(Buffer.from(json), "application/json")).toMatchObject({
      text: json,
      charset: "utf-8",
    });
  });
});

describe("decodeText on hostile bytes", () => {
  it.each(["<script", "<a ", "<meta charset=", '<meta "', "<!--", "\x1b$", "é\0"])(
    "decodes endless %j quickly",
    (piece) => {
      const bytes = Buffer.concat([Buffer.from([0xe9, 0x20]), Buffer.from(piece.repeat(500_000))]);
      const started = threadCpuMs();
      decodeText(bytes, "text/html");
      expect(threadCpuMs() - started).toBeLessThan(1_500);
    },
  );
});

import iconv from "iconv-lite";
import { type Behaviour, pathRest } from "../behaviour.ts";

type Sample = { readonly language: string; readonly title: string; readonly text: string };

const japanese: Sample = {
  language: "ja",
  title: "港の新しい壁",
  text: "一月の嵐で古い防波堤が十一メートルにわたって崩れました。けが人はいませんでしたが、魚市場は水につかり、連絡船は九日間動きませんでした。修理は四月に始まり、十月に終わる予定です。",
};
const simplified: Sample = {
  language: "zh-CN",
  title: "港口的新防波堤",
  text: "一月的风暴冲毁了十一米旧防波堤。没有人受伤，但是鱼市场被水淹没，渡轮停航九天。修复工程从四月开始，预计十月完成，费用为四百三十万元。",
};
const traditional: Sample = {
  language: "zh-TW",
  title: "港口的新防波堤",
  text: "一月的風暴沖毀了十一公尺舊防波堤。沒有人受傷，但是魚市場被水淹沒，渡輪停航九天。修復工程從四月開始，預計十月完成，費用為四百三十萬元。",
};
const korean: Sample = {
  language: "ko",
  title: "항구의 새 방파제",
  text: "일월의 폭풍으로 오래된 방파제가 십일 미터 무너졌습니다. 다친 사람은 없었지만 어시장이 물에 잠기고 연락선은 아흐레 동안 다니지 못했습니다. 수리는 사월에 시작되어 시월에 끝날 예정입니다.",
};
const russian: Sample = {
  language: "ru",
  title: "Новая стена в гавани",
  text: "Январский шторм разрушил одиннадцать метров старой стены. Никто не пострадал, но рыбный рынок затопило, и паром не ходил девять дней. Ремонт начался в апреле и должен закончиться в октябре.",
};
const french: Sample = {
  language: "fr",
  title: "Le nouveau mur du port",
  text: "La tempête de janvier a emporté onze mètres de l’ancienne digue. Personne n’a été blessé, mais la criée a été inondée et le bac est resté à quai neuf jours. La réparation coûtera 4,3 millions d’euros, soit 20 € par habitant.",
};

const samples = new Map<string, Sample>([
  ["shift_jis", japanese],
  ["euc-jp", japanese],
  ["gbk", simplified],
  ["gb18030", simplified],
  ["big5", traditional],
  ["euc-kr", korean],
  ["windows-1251", russian],
  ["koi8-r", russian],
  ["windows-1252", french],
  ["utf-8", japanese],
  ["utf-16le", russian],
  ["utf-16be", japanese],
]);

/** The text that /charset/NAME/… shows. */
export function charsetText(name: string): string {
  return samples.get(name)?.text ?? "";
}

/** The same kind of page in many encodings, declared correctly and incorrectly. */
export const charsets: readonly Behaviour[] = [
  {
    path: "/charset/*",
    about: "ENCODING/header, meta, none, mark, latin1-header (wrong), utf-8-meta (wrong)",
    answer: (exchange) => {
      const [name = "", declaration = "header"] = pathRest(exchange, "/charset/*").split("/");
      const sample = samples.get(name);
      if (sample === undefined) return exchange.respond({ status: 404, body: "No such encoding" });
      const meta = { meta: name, "utf-8-meta": "utf-8", "latin1-header": name }[declaration];
      const header = { header: name, "latin1-header": "ISO-8859-1" }[declaration];
      const html = `<!doctype html><html lang="${sample.language}"><head>${meta === undefined ? "" : `<meta charset="${meta}">`}<title>${sample.title}</title></head><body><article><h1>${sample.title}</h1><p>${sample.text}</p></article></body></html>`;
      const body = iconv.encode(html, name, { addBOM: declaration === "mark" });
      return exchange.respond({
        type: header === undefined ? "text/html" : `text/html; charset=${header}`,
        body,
      });
    },
  },
  {
    path: "/charset-mislabelled",
    about: "UTF-8 that its header calls windows-1252",
    answer: ({ respond }) =>
      respond({
        type: "text/html; charset=windows-1252",
        body: `<title>${russian.title}</title><h1>${russian.title}</h1><p>${russian.text}</p>`,
      }),
  },
];

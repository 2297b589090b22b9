import { describe, expect, it } from "vitest";
import { buildMessage } from "./message.ts";
import type { NoticePage, NoticePayload } from "./notices.ts";

const page = (name: string, status = "changed"): NoticePage => ({
  targetId: "t",
  url: `https://town.example/${name}`,
  status,
  title: name,
  reason: "",
  added: ["open"],
  removed: [],
});
const notice = (
  pages: readonly NoticePage[],
  event: NoticePayload["event"] = "change",
  more = 0,
): NoticePayload => ({
  event,
  monitorId: "m",
  monitorName: "Town",
  checkId: "c",
  pages,
  more,
  at: 0,
});

describe("titles of notifications", () => {
  const [port, fair, zoo] = [page("Port"), page("Fair"), page("Zoo")];
  it.each<[string, NoticePayload[]]>([
    ["Town: Port changed", [notice([port])]],
    ["Town: Port is new", [notice([page("Port", "new")])]],
    ["Town: Port is gone", [notice([page("Port", "removed")])]],
    ["Town: Port can be read again", [notice([page("Port", "new")], "recovered")]],
    ["Town: Port changed (3 times)", [notice([port]), notice([port]), notice([port])]],
    [
      "Town: Port cannot be read, can be read again, changed (2 times)",
      [
        notice([page("Port", "error")], "broken"),
        notice([port], "recovered"),
        notice([port]),
        notice([port]),
      ],
    ],
    ["Town: 2 pages changed", [notice([port, fair])]],
    ["Town: 2 pages changed", [notice([port, fair]), notice([port])]],
    ["Town: 3 pages changed", [notice([port, fair]), notice([zoo])]],
    ["Town: 2 pages are new", [notice([page("Port", "new"), page("Fair", "new")])]],
    ["Town: 2 pages cannot be read", [notice([port, fair], "broken")]],
    [
      "Town: 3 pages: changed, new, cannot be read",
      [notice([port, page("Fair", "new")]), notice([page("Zoo", "error")], "broken")],
    ],
    ["Town: 60 pages need attention", [notice([port, fair], "change", 58)]],
    ["Town: 60 pages cannot be read", [notice([port, fair], "broken", 58)]],
    [
      "Town: at least 60 pages need attention",
      [notice([port, fair], "change", 58), notice([port, zoo], "change", 8)],
    ],
    ["Town: test notification", [notice([], "test")]],
  ])("says %j", (title, payloads) => {
    expect(buildMessage(payloads).title).toBe(title);
  });

  it("counts what the text does not list", () => {
    const pages = Array.from({ length: 12 }, (_, index) => page(`page ${index}`));
    expect(buildMessage([notice(pages, "change", 3)]).text).toContain("And 5 more.");
  });
});

// All components in all states, for development and for screenshot tests.
import { screenHead } from "../ui/screen-head.ts";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../data/api.ts";
import {
  formatBytes,
  formatDecimal,
  formatDuration,
  formatNumber,
  formatShare,
} from "../data/format.ts";
import { button, iconButton, linkButton } from "../ui/button.ts";
import { codeView, jsonView } from "../ui/code-view.ts";
import { copyButton } from "../ui/copy.ts";
import { dialog } from "../ui/dialog.ts";
import { create, dom } from "../ui/dom.ts";
import { empty, errorBox, skeleton } from "../ui/feedback.ts";
import { Field, segments, select, textInput, Toggle } from "../ui/fields.ts";
import { icon } from "../ui/icons.ts";
import { markdownView } from "../ui/markdown-view.ts";
import { menu } from "../ui/menu.ts";
import { badge, statusBadge } from "../ui/status.ts";
import { tabPanel, tabs } from "../ui/tabs.ts";
import { toast } from "../ui/toast.ts";
import { details, meter, tiles, time, url } from "../ui/values.ts";
import { virtualList } from "../ui/virtual-list.ts";

const ROWS = 100_000;
const LONG_URL =
  "https://www.example.com/a/very/long/path/that/goes/on/and/on/until/it/ends/index.html?with=query";
const MARKDOWN =
  "# Heading\n\nText with `code`, **weight** and a [link](https://example.com).\n\n| Name | Value |\n| --- | --- |\n| Weight | 300 g |\n\n> A quotation.\n\n![A picture](https://example.com/a.png)\n\n<script>alert(1)</script>";

const part = (title: string, ...children: ComponentChildren[]): VNode =>
  dom.section(
    { key: title, class: "panel" },
    dom.div({ class: "panel-head" }, dom.h2(null, title)),
    dom.div({ class: "panel-body stack" }, ...children),
  );

function Controls(): VNode {
  const [text, setText] = useState("");
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState("one");
  const options = ["one", "two", "three"].map((value) => ({ value, label: value }));
  return part(
    "Fields",
    create(Field, {
      label: "Text",
      help: "A word of help.",
      control: (ties) =>
        textInput({ ...ties, value: text, onInput: setText, placeholder: "Placeholder" }),
    }),
    create(Field, {
      label: "With a fault",
      fault: "must be 1 to 300000, not -1",
      control: (ties) => textInput({ ...ties, value: "-1", onInput: () => undefined }),
    }),
    create(Field, {
      label: "Select",
      control: (ties) => select({ ...ties, value: choice, options, onChange: setChoice }),
    }),
    create(Toggle, { label: "Switch", help: "On or off.", checked: isOn, onChange: setOn }),
    segments({ label: "Segments", value: choice, options, onChange: setChoice }),
  );
}

function Overlays(): VNode {
  const [isOpen, setOpen] = useState(false);
  return part(
    "Dialog, menu, toast",
    dom.div(
      { class: "row wrap" },
      button({ label: "Open a dialog", onClick: () => setOpen(true) }),
      menu({
        label: "Menu",
        button: ["Menu", icon("down", { size: 12 })],
        items: (close) => [
          dom.button({ type: "button", onClick: close }, "First"),
          dom.button({ type: "button", onClick: close }, "Second"),
        ],
      }),
      button({
        label: "Toast",
        onClick: () => toast("3 jobs were cancelled.", { undo: () => undefined }),
      }),
      button({
        label: "Bad toast",
        onClick: () => toast("The key could not be revoked.", { isBad: true }),
      }),
    ),
    isOpen &&
      dialog({
        title: "Revoke the key “team”?",
        onClose: () => setOpen(false),
        body: "Programs that use it are refused from now on.",
        foot: [
          button({ label: "Keep it", onClick: () => setOpen(false) }),
          button({ label: "Revoke", kind: "danger-fill", onClick: () => setOpen(false) }),
        ],
      }),
  );
}

export function Components(): VNode {
  const [tab, setTab] = useState("one");
  return dom.div(
    { class: "stack gap-l" },
    screenHead({ title: "Components", text: "Every component in every state." }),
    part(
      "Buttons",
      dom.div(
        { class: "row wrap" },
        button({ label: "Primary", kind: "primary" }),
        button({ label: "Plain", icon: "again" }),
        button({ label: "Quiet", kind: "quiet" }),
        button({ label: "Danger", kind: "danger", icon: "trash" }),
        button({ label: "Danger, sure", kind: "danger-fill" }),
        button({ label: "Disabled", disabled: true }),
        button({ label: "Small", small: true, keys: "x" }),
        iconButton({ icon: "copy", label: "Icon button", onClick: () => undefined }),
        linkButton("/console/components", "Link", { icon: "external" }),
        copyButton("text"),
      ),
    ),
    create(Controls, {}),
    part(
      "States",
      dom.div(
        { class: "row wrap" },
        ...[
          "running",
          "completed",
          "failed",
          "cancelled",
          "pending",
          "content",
          "changed",
          "new",
          "removed",
          "expired",
        ].map(statusBadge),
        badge("login wall", "amber", "key"),
        badge("from the cache", "violet", "clock"),
      ),
      meter(
        [
          { share: 0.6, color: "green", label: "fetched" },
          { share: 0.1, color: "red", label: "failed" },
          { share: 0.05, color: "blue", label: "in progress" },
        ],
        "60 % fetched, 10 % failed",
      ),
      tiles(
        { label: "Pages", value: formatNumber(12_040), note: "4.2 a second" },
        { label: "Failed", value: formatShare(12, 480) },
        { label: "Size", value: formatBytes(48_200_000) },
        { label: "Time", value: formatDuration(83_000) },
        { label: "Load", value: formatDecimal(1.72) },
      ),
      details([
        ["URL", url(LONG_URL)],
        ["Started", time(Date.now() - 200_000)],
        ["Never", time(null)],
      ]),
    ),
    part(
      "Tabs",
      tabs({
        label: "Example",
        tabs: [
          { id: "one", label: "First", count: 12 },
          { id: "two", label: "Second" },
        ],
        current: tab,
        onChange: setTab,
      }),
      tabPanel(tab, `The panel of ${tab}.`),
    ),
    part(
      "Loading, empty, fault",
      skeleton(),
      empty({
        icon: "jobs",
        title: "No jobs yet",
        text: "A crawl follows the links of a site and scrapes each page.",
        action: linkButton("/?mode=crawl", "Start a crawl", { kind: "primary" }),
      }),
      errorBox(
        new ApiError(400, { error: "Bad Request: limit must be 1 to 100000, not -1" }, "0f1e2d3c"),
        () => undefined,
      ),
    ),
    part(
      "Text",
      jsonView({ name: "Ridge Stove", price: 70.99, inStock: true, tags: ["stove", null] }),
      codeView("curl http://127.0.0.1:3002/v2/scrape"),
      markdownView(MARKDOWN),
    ),
    create(Overlays, {}),
    part(
      `A list of ${formatNumber(ROWS)} rows`,
      virtualList({
        label: "Rows",
        count: ROWS,
        rowHeight: 32,
        height: 320,
        row: (index) => [
          dom.span({ class: "num faint" }, formatNumber(index + 1)),
          url(`https://example.com/page/${index + 1}`),
        ],
      }),
    ),
  );
}

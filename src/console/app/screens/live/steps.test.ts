import { expect, test } from "vitest";
import type { RecordedStep } from "../../../../contract/session/screen.ts";
import { toActions, toCode } from "./steps.ts";

const STEPS: readonly RecordedStep[] = [
  { type: "open", url: "https://shop.example/login" },
  { type: "click", selector: 'input[name="user"]' },
  { type: "write", text: 'A"da', isSecret: false },
  { type: "press", key: "Tab" },
  { type: "write", text: "", isSecret: true },
  { type: "open", url: "https://shop.example/orders" },
];

test("turns steps into actions of a scrape of the first address, without the password", () => {
  expect(toActions(STEPS)).toEqual({
    url: "https://shop.example/login",
    actions: [
      { type: "click", selector: 'input[name="user"]' },
      { type: "write", text: 'A"da' },
      { type: "press", key: "Tab" },
      { type: "write", text: "PASSWORD" },
      {
        type: "executeJavascript",
        script: 'location.assign("https://shop.example/orders")',
      },
    ],
  });
});

test("turns steps into code whose texts are quoted", () => {
  expect(toCode(STEPS).split("\n")).toEqual([
    'await page.goto("https://shop.example/login");',
    'await page.click("input[name=\\"user\\"]");',
    'await page.keyboard.type("A\\"da");',
    'await page.keyboard.press("Tab");',
    'await page.keyboard.type("PASSWORD");',
    'await page.goto("https://shop.example/orders");',
  ]);
});

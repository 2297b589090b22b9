import { describe, expect, it } from "vitest";
import { computeImageKey } from "./image-key.ts";

const haveSameKey = (one: string, other: string): boolean =>
  computeImageKey(one) === computeImageKey(other);

describe("computeImageKey", () => {
  it.each([
    ["https://a.example/up/sea-1024x683.jpg", "https://a.example/up/sea.jpg"],
    ["https://a.example/up/sea_600x.jpg", "https://a.example/up/sea_1200x800.jpg"],
    ["https://a.example/sea.jpg?w=300&q=80", "https://a.example/sea.jpg?resize=770%2C513"],
    [
      "https://a.example/image/c_fill,w_360,h_360/up/sea.jpg",
      "https://a.example/image/c_fill,w_1280/up/sea.jpg",
    ],
    ["https://a.example/sea@2x.png", "https://a.example/sea.png"],
    ["https://a.example/640x480/sea.png", "https://a.example/sea.png#top"],
  ])("returns the same picture for %s and %s", (one, other) => {
    expect(haveSameKey(one, other)).toBe(true);
  });

  it.each([
    ["https://a.example/sea-1.jpg", "https://a.example/sea-2.jpg"],
    ["https://a.example/image?id=1&w=300", "https://a.example/image?id=2&w=300"],
    ["https://a.example/1/large.jpg", "https://a.example/2/large.jpg"],
    ["https://a.example/sea-1024x683.jpg", "https://b.example/sea-1024x683.jpg"],
    ["data:image/png;base64,iVBORw0", "data:image/png;base64,iVBORw1"],
    ["https://300x200/a.png", "https://640x480/a.png"],
  ])("returns different pictures for %s and %s", (one, other) => {
    expect(haveSameKey(one, other)).toBe(false);
  });
});

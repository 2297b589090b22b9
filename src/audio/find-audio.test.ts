import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { findAudio } from "./find-audio.ts";

const find = (html: string): string[] =>
  findAudio(parseHtml(html), "https://a.example/show/").map(
    ({ from, url }) => `${from} ${url.replace("https://a.example", "")}`,
  );

describe("findAudio", () => {
  it("orders audio sources: audio before video, and MP3 before formats to transcode", () => {
    const html = `<video src="film.mp4"></video>
      <audio><source src="one.ogg" type="audio/ogg"><source src="one.mp3" type="audio/mpeg; codecs=mp3"></audio>`;
    expect(find(html)).toEqual([
      "audio /show/one.mp3",
      "audio /show/one.ogg",
      "video /show/film.mp4",
    ]);
  });

  it("finds audio in enclosures, linked data and Open Graph", () => {
    const html = `<meta property="og:video" content="/film.mp4"><meta property="og:audio:secure_url" content="/told.mp3">
      <script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"@type":"AudioObject","contentUrl":"/linked.mp3"}}</script>
      <script type="application/ld+json">{"@type":"VideoObject","contentUrl":"/linked.mp4"}</script>
      <a href="/show.m4a">Download</a><a rel="enclosure" type="audio/mpeg" href="/first.mp3">x</a>`;
    expect(find(html)).toEqual([
      "enclosure /first.mp3",
      "enclosure /show.m4a",
      "json-ld /linked.mp3",
      "og:audio /told.mp3",
      "video /linked.mp4",
      "og:video /film.mp4",
    ]);
  });

  it("ignores pages with a player, pictures and addresses that are not http(s)", () => {
    const html = `<base href="https://b.example/"><meta property="og:video" content="https://a.example/embed/1">
      <link rel="enclosure" type="image/png" href="/a.png"><audio src="data:audio/wav;base64,AA"></audio>
      <audio src="blob:https://a.example/1"></audio><audio src=""></audio><source src="lost.mp3">
      <audio src="sound.mp3"></audio><audio src="sound.mp3"></audio>`;
    expect(find(html)).toEqual(["audio https://b.example/sound.mp3"]);
  });

  it("returns at most 50 sources", () => {
    const html = Array.from({ length: 500 }, (_, at) => `<audio src="${at}.mp3"></audio>`).join("");
    expect(find(html)).toHaveLength(50);
  });
});

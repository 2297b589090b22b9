import { type Behaviour, pathRest, queryNumber } from "../behaviour.ts";
import { htmlPage } from "../html-page.ts";

const DOCUMENTATION = `<h1>Tide clock handbook</h1>
<p>The clock is set over the serial line. See <a href="#commands">the commands</a> or <a href="../article">the story</a>.</p>
<h2 id="install">Install</h2>
<pre><code class="language-sh">npm install tide-clock
npx tide-clock --port /dev/ttyUSB0</code></pre>
<h2 id="commands">Commands</h2>
<table><thead><tr><th>Command</th><th>Meaning</th><th>Since</th></tr></thead><tbody>
<tr><td><code>SET hh:mm</code></td><td>Sets the time of high water | low water</td><td>1.0</td></tr>
<tr><td><code>LAG n</code></td><td>Minutes behind the reference port</td><td rowspan="2">1.2</td></tr>
<tr><td><code>RESET</code></td><td>Back to <em>factory</em> values</td></tr></tbody></table>
<h2 id="theory">Theory</h2>
<p>Height over time is a sum of cosines: <span class="math"><math><semantics><mrow><mi>h</mi></mrow><annotation encoding="application/x-tex">h(t) = \\sum_i A_i \\cos(\\omega_i t + \\varphi_i)</annotation></semantics></math></span>.</p>
<ol><li>Measure<ul><li>at noon</li><li>at midnight</li></ul></li><li>Fit</li><li>Set the clock</li></ol>
<dl><dt>Neap</dt><dd>The smallest range, at half moon.</dd><dt>Spring</dt><dd>The largest range, at full and new moon.</dd></dl>
<details><summary>Why is my clock late?</summary><p>The lag was set for another port.</p></details>
<pre><code class="language-python">def height(t, parts):
    # amplitude, speed, phase
    return sum(a * cos(w * t + p) for a, w, p in parts)</code></pre>
<p>More in the notes<sup id="r1"><a href="#n1">1</a></sup>.</p><ol class="footnotes"><li id="n1">After Doodson, 1921. <a href="#r1">back</a></li></ol>`;

const IMAGES = `<article><h1>Pictures of the repair</h1>
<p><img data-src="/images/lazy.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Barge at dawn"></p>
<p><img src="/images/small.jpg" srcset="/images/small.jpg 480w, /images/large.jpg 1600w" alt="Crane"></p>
<p><picture><source srcset="/images/wall.webp 1x, /images/wall-2x.webp 2x" type="image/webp"><img src="/images/wall.jpg" alt="Wall"></picture></p>
<p><img data-srcset="/images/d1.jpg 1x, /images/d2.jpg 2x" alt="Divers"></p>
<noscript><img src="/images/fallback.jpg" alt="Without scripts"></noscript>
<p><img src="/images/small.jpg" alt="Crane again"></p><video poster="/images/poster.jpg" src="/film.mp4"></video></article>`;

const METAS = `<meta name="description" content="A wall of rough basalt replaces the one the storm took.">
<meta name="description" content="With pictures.">
<meta name="keywords" content="harbour, wall"><meta name="keywords" content="storm">
<meta name="author" content="Marta Keene"><meta name="robots" content="max-image-preview:large">
<meta property="og:title" content="A wall that tires the sea"><meta property="og:description" content="Rough on purpose.">
<meta property="og:url" content="https://gazette.example/wall"><meta property="og:image" content="https://gazette.example/wall.jpg">
<meta property="og:site_name" content="Harbour Gazette"><meta property="og:locale" content="en_GB">
<meta property="og:locale:alternate" content="fr_FR"><meta property="og:locale:alternate" content="de_DE">
<meta property="og:audio" content="https://gazette.example/wall.mp3"><meta property="og:determiner" content="a">
<meta property="og:video" content="https://gazette.example/wall.mp4">
<meta property="article:section" content="Coast"><meta property="article:tag" content="storm">
<meta property="article:published_time" content="2024-05-14T06:30:00+01:00"><meta property="article:modified_time" content="2024-05-15T10:00:00+01:00">
<meta name="dc.description" content="About a wall"><meta name="dc.subject" content="Coast"><meta name="dc.type" content="Text"><meta name="dc.date" content="2024-05-14">
<meta name="dc.date.created" content="2024-05-13"><meta name="dcterms.created" content="2024-05-12"><meta name="dcterms.keywords" content="sea">
<meta name="dcterms.subject" content="Walls"><meta name="dcterms.audience" content="Readers"><meta name="dcterms.type" content="Article">
<meta itemprop="wordCount" content="412"><link rel="icon" href="/icons/anchor.png"><link rel="canonical" href="/article">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"A wall that tires the sea","author":{"@type":"Person","name":"Marta Keene"},"datePublished":"2024-05-14T06:30:00+01:00"}</script>`;

/** Pages for conversion: documentation, pictures, links, metadata, sizes, depths. */
export const documents: readonly Behaviour[] = [
  {
    path: "/documentation",
    about: "code, tables, lists, definitions, math, details, footnotes",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Tide clock handbook",
          body: `<article>${DOCUMENTATION}</article>`,
        }),
      }),
  },
  {
    path: "/pictures",
    about: "lazy images, srcset, picture, noscript, repeats",
    answer: ({ respond }) => respond({ body: htmlPage({ title: "Pictures", body: IMAGES }) }),
  },
  {
    path: "/metadata",
    about: "every kind of metadata",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "A wall that tires the sea",
          head: METAS,
          language: "en-GB",
          body: "<h1>A wall that tires the sea</h1><p>Rough basalt takes the force out of the waves before they reach the quay.</p>",
        }),
      }),
  },
  {
    path: "/base-tag",
    about: "relative links under a base element",
    answer: ({ origin, respond }) =>
      respond({
        body: htmlPage({
          title: "Base",
          head: `<base href="${origin}/articles/">`,
          body: `<h1>Notes</h1><p><a href="1">First</a> <a href="../article">Story</a> <a href="?q=2">Query</a> <img src="pic.png" alt="Picture"></p>`,
        }),
      }),
  },
  {
    path: "/links/*",
    about: "links of every kind",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Links",
          body: `<h1>Links</h1><ul><li><a href="one">relative</a></li><li><a href="./two">dot</a></li><li><a href="../three">up</a></li><li><a href="//127.0.0.1/four">protocol</a></li><li><a href="/five?a=1&amp;b=2#part">query</a></li><li><a href="#here">fragment</a></li><li><a href="mailto:desk@gazette.example">mail</a></li><li><a href="tel:+441234">phone</a></li><li><a href="javascript:void(0)">script</a></li><li><a href="http:/six">one slash</a></li><li><a href="one">again</a></li><li><a href="">empty</a></li><li><a>none</a></li><li><a href="/with space">space</a></li><li><a href="https://例え.jp/七">idn</a></li></ul>`,
        }),
      }),
  },
  {
    path: "/big",
    about: "a table of ?megabytes= (10)",
    answer: (exchange) => {
      const row =
        "<tr><td>06:14</td><td>3.2 m</td><td>North pier</td><td>Wind from the west, five vessels at anchor</td></tr>\n";
      const count = Math.ceil(
        (queryNumber(exchange, "megabytes", 10, 100) * 1_048_576) / row.length,
      );
      exchange.respond({
        body: htmlPage({
          title: "Tide log",
          body: `<h1>Tide log</h1><table>${row.repeat(count)}</table>`,
        }),
      });
    },
  },
  {
    path: "/log/*",
    about: "a log of ?lines= (1000), each with the number of the log",
    answer: (exchange) => {
      const number = pathRest(exchange, "/log/*");
      const lines = Array.from(
        { length: queryNumber(exchange, "lines", 1_000, 100_000) },
        (_, index) => `<p>Log ${number}, line ${index}: wind from the west, five vessels.</p>`,
      );
      exchange.respond({
        body: htmlPage({ title: `Log ${number}`, body: `<h1>Log ${number}</h1>${lines.join("")}` }),
      });
    },
  },
  {
    path: "/deep",
    about: "?depth= (3000) nested ?tag= (blockquote)",
    answer: (exchange) => {
      const depth = queryNumber(exchange, "depth", 3_000, 200_000);
      const tag = /^[a-z]+$/.test(exchange.query.get("tag") ?? "")
        ? exchange.query.get("tag")
        : "blockquote";
      exchange.respond({
        body: htmlPage({
          title: "Deep",
          body: `${`<${tag}>`.repeat(depth)}<p>At the bottom lies the anchor.</p>${`</${tag}>`.repeat(depth)}`,
        }),
      });
    },
  },
];

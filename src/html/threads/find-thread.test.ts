import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { findMakers } from "../generators/find-generator.ts";
import { readPageHints } from "../evidence/page-hints.ts";
import { foldSpace, readText } from "../parse/tree.ts";
import { readThread } from "./find-thread.ts";
import { THREAD_SOFTWARE } from "./thread-software.ts";

/** Returns the posts as the page of the software shows them, or undefined if it has none. */
function read(html: string) {
  const root = parseHtml(html);
  const { forums } = findMakers(root, readPageHints(root).generator);
  for (const software of forums) {
    const thread = readThread(root, software);
    if (thread === undefined) continue;
    return {
      software: software.name,
      title: thread.title && foldSpace(readText(thread.title)),
      posts: thread.posts.map(({ body, comments: _comments, ...post }) => ({
        ...post,
        text: foldSpace(readText(body)),
      })),
    };
  }
  return undefined;
}

const buildPost = (
  author: string,
  time: string,
  text: string,
  votes?: number,
  isAccepted = false,
) => ({
  author,
  time,
  text,
  votes,
  isAccepted,
});

/** One page for each software, in its own markup, with two posts. */
const PAGES: Readonly<Record<string, readonly [html: string, title: string, ...posts: object[]]>> =
  {
    XenForo: [
      `<html id="XF" data-template="thread_view"><body><div class="p-title"><h1 class="p-title-value">Leaking roof</h1></div>
      <article class="message message--post" data-author="ann"><div class="message-cell--user"><h4 class="message-name"><a class="username">ann</a></h4><h5 class="userTitle">Member</h5><dl class="pairs"><dt>Messages</dt><dd>887</dd></dl></div>
      <header class="message-attribution"><a href="/p/1"><time class="u-dt" datetime="2022-07-09T15:10:31-0700">Jul 9, 2022</time></a> <a>#1</a></header>
      <article class="message-body"><div class="bbWrapper">It drips.</div></article><aside class="message-signature"><div class="bbWrapper">My signature</div></aside></article>
      <article class="message message--post" data-author="bo"><h4 class="message-name"><a class="username">bo</a></h4>
      <header class="message-attribution"><time class="u-dt" datetime="2022-07-10T08:00:00-0700">Sunday at 8:00 AM</time></header>
      <article class="message-body"><div class="bbWrapper">Use tar.</div></article></article></body></html>`,
      "Leaking roof",
      buildPost("ann", "Jul 9, 2022", "It drips."),
      buildPost("bo", "2022-07-10 08:00", "Use tar."),
    ],
    FluxBB: [
      `<body><div id="punviewtopic" class="pun"><div id="p1" class="blockpost firstpost blockpost1"><h2><span><span class="conr">#1</span> <a href="#p1">2025-11-01 15:14</a></span></h2>
      <div class="postbody"><div class="postleft"><dl><dt><strong>ann</strong></dt><dd class="usertitle"><strong>Member</strong></dd><dd><span>Posts: 1</span></dd></dl></div>
      <div class="postright"><h3>Leaking roof</h3><div class="postmsg"><p>It drips.</p></div></div></div></div>
      <div id="p2" class="blockpost"><h2><span><span class="conr">#2</span> <a href="#p2">2025-11-02 06:23</a></span></h2>
      <div class="postbody"><div class="postleft"><dl><dt><strong><a href="/u/2">bo</a></strong></dt></dl></div>
      <div class="postright"><h3>Re: Leaking roof</h3><div class="postmsg"><p>Use tar.</p></div></div></div></div></div>`,
      "Leaking roof",
      buildPost("ann", "2025-11-01 15:14", "It drips."),
      buildPost("bo", "2025-11-02 06:23", "Use tar."),
    ],
    phpBB: [
      `<body id="phpbb" class="nojs"><h1>Roofers</h1><h2 class="topic-title"><a href="#">Leaking roof</a></h2>
      <div id="p11" class="post has-profile bg2"><dl class="postprofile"><dt><a class="username" href="#">ann</a></dt><dd class="profile-posts"><strong>Posts:</strong> 2</dd></dl>
      <div class="postbody"><h3><a href="#p11">Leaking roof</a></h3><p class="author"><a href="#"><span class="sr-only">Post</span></a> <span class="responsive-hide">by <strong><a class="username">ann</a></strong> &raquo; </span>Sun Dec 17, 2023 11:23 am</p><div class="content">It drips.</div><div class="signature">sig</div></div></div>
      <div id="p12" class="post has-profile bg1"><dl class="postprofile"><dt><span class="username-coloured">bo</span></dt></dl><div class="postbody"><p class="author">by <strong><a class="username-coloured">bo</a></strong> » <time datetime="2023-12-18T10:00:00+00:00">Mon Dec 18, 2023 10:00 am</time></p><div class="content">Use tar.</div></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "Sun Dec 17, 2023 11:23 am", "It drips."),
      buildPost("bo", "Mon Dec 18, 2023 10:00 am", "Use tar."),
    ],
    vBulletin: [
      `<head><meta name="generator" content="vBulletin 4.2.2"></head><body><h1>Leaking roof</h1><ol id="posts"><li class="postbitlegacy postbitim postcontainer" id="post_1"><div class="posthead"><span class="postdate old"><span class="date">03-30-2025,&nbsp;<span class="time">04:26 PM</span></span></span><span class="nodecontrols"><a class="postcounter">#1</a></span></div>
      <div class="userinfo"><div class="username_container"><a class="username"><strong>ann</strong></a></div><span class="usertitle">Member</span></div><div class="postbody"><div class="content"><div id="post_message_1"><blockquote class="postcontent restore">It drips.</blockquote></div></div></div></li>
      <li class="postbitlegacy postcontainer" id="post_2"><span class="postdate"><span class="date">03-31-2025, 09:00 AM</span></span><a class="username">bo</a><div id="post_message_2"><blockquote class="postcontent">Use tar.</blockquote></div></li></ol></body>`,
      "Leaking roof",
      buildPost("ann", "03-30-2025, 04:26 PM", "It drips."),
      buildPost("bo", "03-31-2025, 09:00 AM", "Use tar."),
    ],
    Discourse: [
      `<head><meta name="generator" content="Discourse 3.4.0"></head><body><h1><a href="/t/1">Leaking roof</a></h1>
      <div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author"><a href="/u/ann"><span itemprop="name">ann</span></a></span><span class="crawler-post-infos"><time datetime="2024-09-05T23:15:57Z" class="post-time">September 5, 2024, 11:15pm</time><span itemprop="position">1</span></span></div><div class="post" itemprop="text"><p>It drips.</p></div><span class="post-likes">3 Likes</span></div>
      <div id="post_2" class="topic-body crawler-post" itemprop="comment"><div class="crawler-post-meta"><span class="creator"><span itemprop="name">bo</span></span><time class="post-time" datetime="2024-09-06T08:00:00Z">September 6, 2024, 8:00am</time></div><div class="post" itemprop="text"><p>Use tar.</p></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "September 5, 2024, 11:15pm", "It drips."),
      buildPost("bo", "September 6, 2024, 8:00am", "Use tar."),
    ],
    "Invision Community": [
      `<body class="ipsApp ipsApp_front" data-pageapp="forums"><h1 class="ipsType_pageTitle"><span>Leaking roof</span></h1>
      <article id="elComment_1" class="cPost ipsBox ipsComment"><aside class="ipsComment_author"><h3 class="cAuthorPane_author"><strong><a href="/p/1">ann</a></strong></h3><ul><li>Members</li></ul></aside><div class="ipsComment_meta">Posted <time datetime="2024-03-19T21:22:50Z">March 19, 2024</time></div><div data-role="commentContent" class="ipsType_richText"><p>It drips.</p></div></article>
      <article id="elComment_2" class="cPost ipsComment"><h3 class="cAuthorPane_author"><a>bo</a></h3><div class="ipsComment_meta"><time datetime="2024-03-20T21:22:50Z">Wednesday</time></div><div data-role="commentContent"><p>Use tar.</p></div></article></body>`,
      "Leaking roof",
      buildPost("ann", "March 19, 2024", "It drips."),
      buildPost("bo", "2024-03-20 21:22", "Use tar."),
    ],
    "Stack Exchange": [
      `<body class="question-page unified-theme"><div id="question-header"><h1><a>Leaking roof</a></h1></div>
      <div class="question js-question"><div class="js-vote-count" data-value="12">12</div><div class="s-prose js-post-body" itemprop="text"><p>It drips.</p></div><div class="post-signature"><div class="user-action-time">edited <span class="relativetime" title="2020-01-01 00:00:00Z">Jan 1 '20</span></div><div class="user-details"><a>editor</a></div></div><div class="post-signature owner"><div class="user-action-time">asked <span class="relativetime" title="2014-02-04 08:40:59Z">Feb 4 '14</span></div><div class="user-details" itemprop="author"><a>ann</a><meta itemprop="name" content="ann"></div></div></div>
      <div id="answer-2" class="answer js-answer accepted-answer"><div class="js-vote-count" data-value="467">467</div><div class="js-accepted-answer-indicator"></div><div class="s-prose js-post-body"><p>Use tar.</p></div><div class="post-signature"><div class="user-action-time">edited <span class="relativetime" title="2021-10-23 05:53:54Z">Oct 23 '21</span></div><div class="user-details"><a>editor</a></div></div><div class="post-signature"><span class="relativetime" title="2014-02-05 09:00:00Z">Feb 5 '14</span><div class="user-details" itemprop="author"><a>bo</a><meta itemprop="name" content="bo"></div></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "2014-02-04 08:40", "It drips.", 12),
      buildPost("bo", "2014-02-05 09:00", "Use tar.", 467, true),
    ],
    Flarum: [
      `<body><div id="app"><h1 class="DiscussionHero-title">Leaking roof</h1><div class="PostStream"><article class="CommentPost Post"><header class="Post-header"><div class="PostUser"><h3 class="PostUser-name"><a><span class="username">ann</span></a></h3></div><div class="PostMeta"><time datetime="2024-01-02T10:00:00+00:00">2 Jan</time></div></header><div class="Post-body"><p>It drips.</p></div></article>
      <article class="CommentPost Post"><div class="PostUser"><h3 class="PostUser-name"><span class="username">bo</span></h3></div><div class="PostMeta"><time datetime="2024-01-03T10:00:00+00:00">3 Jan</time></div><div class="Post-body"><p>Use tar.</p></div></article></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "2024-01-02 10:00", "It drips."),
      buildPost("bo", "2024-01-03 10:00", "Use tar."),
    ],
    "Simple Machines": [
      `<body><div id="display_head"></div><h2 class="display_head"><span id="top_subject">Leaking roof</span></h2><div id="forumposts"><div class="windowbg" id="msg1"><div class="post_wrapper"><div class="poster"><h4><a>ann</a></h4><ul><li>Posts: 3</li></ul></div><div class="postarea"><div class="keyinfo"><div class="postinfo"><a class="smalltext" href="#">June 04, 2024, 11:23:55 AM</a></div></div><div class="post"><div class="inner" data-msgid="1">It drips.</div></div></div><div class="signature">sig</div></div></div>
      <div class="windowbg" id="msg2"><div class="post_wrapper"><div class="poster"><h4>bo</h4></div><div class="keyinfo"><div class="smalltext">&#171; <strong>Reply #1 on:</strong> June 05, 2024, 03:00:00 PM &#187;</div></div><div class="post"><div class="inner">Use tar.</div></div></div></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "June 04, 2024, 11:23:55 AM", "It drips."),
      buildPost("bo", "June 05, 2024, 03:00:00 PM", "Use tar."),
    ],
    MyBB: [
      `<body><h1>Leaking roof</h1><div id="posts"><div class="post" id="post_1"><div class="post_author"><div class="author_information"><strong><span class="largetext"><a>ann</a></span></strong><br><span class="smalltext">Member</span></div><div class="author_statistics">Posts: 116</div></div><div class="post_content"><div class="post_head"><span class="post_date">2019-02-23, 09:14 PM <span class="post_edit">(This post was last modified: 2024-01-05, 03:27 AM by ann.)</span></span></div><div class="post_body" id="pid_1">It drips.</div></div></div>
      <div class="post" id="post_2"><div class="author_information"><strong>bo</strong></div><span class="post_date">2019-02-24, 10:00 AM</span><div class="post_body">Use tar.</div></div></div></body>`,
      "Leaking roof",
      buildPost("ann", "2019-02-23, 09:14 PM", "It drips."),
      buildPost("bo", "2019-02-24, 10:00 AM", "Use tar."),
    ],
  };

describe("readThread", () => {
  it.each(Object.entries(PAGES))("reads author, time and text of posts of %s", (name, page) => {
    const [html, title, ...posts] = page;
    expect(read(html)).toEqual({ software: name, title, posts });
  });

  it("has a sample page for each forum software", () => {
    expect(Object.keys(PAGES).toSorted()).toEqual(
      THREAD_SOFTWARE.map(({ name }) => name).toSorted(),
    );
  });

  it("finds no thread on other pages of a forum, nor where posts have no authors", () => {
    expect(
      read(
        `<html id="XF"><body><h1>Forums</h1><div class="structItem"><a href="/t/1">Leaking roof</a></div></body></html>`,
      ),
    ).toBeUndefined();
    expect(
      read(
        `<body id="phpbb"><div class="post" id="p1"><div class="content">It drips.</div></div></body>`,
      ),
    ).toBeUndefined();
  });

  it("finds no thread on pages that only mention a forum software", () => {
    expect(
      read(
        `<body><article class="message message--post"><a class="username">ann</a><div class="message-body">I use XenForo</div></article></body>`,
      ),
    ).toBeUndefined();
  });
});

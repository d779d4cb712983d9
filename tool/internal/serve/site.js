"use strict";
// The pages are whole without this: it finds, draws a trend, and keeps up with runs.
(() => {
  const at = id => document.getElementById(id);

  function finder() {
    const find = at("find"), room = at("rows"), shown = at("shown");
    if (!find || !room) return;
    const rows = [...room.querySelectorAll("[data-text]")];
    find.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(w => w);
      let n = 0;
      for (const r of rows) {
        r.hidden = !words.every(w => r.dataset.text.toLowerCase().includes(w));
        if (!r.hidden) n++;
      }
      shown.textContent = n === rows.length ? "" : `${n} of ${rows.length}`;
    });
    find.closest("form")?.addEventListener("submit", e => e.preventDefault());
  }

  const known = p => p.ratio > 0 && p.low > 0 && isFinite(p.high);
  const whole = (p, i) => ({ ...p, i, high: p.high || p.ratio * p.ratio / p.low });
  // A logarithmic axis of less than a decade has no room for powers of ten alone.
  const ticks = points => d3.ticks(d3.min(points, p => p.low), d3.max(points, p => p.high), 6).filter(x => x > 0);

  const end = (s, n) => s.length > n ? "…" + s.slice(1 - n) : s;

  function picture(room, options) {
    const svg = Plot.plot({ className: "plot", width: Math.min(900, Math.max(300, room.clientWidth)), style: null, ...options });
    svg.setAttribute("role", "img");
    for (const g of svg.querySelectorAll("[aria-label]")) g.removeAttribute("aria-label"); // the table tells the parts
    const figure = document.createElement("figure");
    figure.append(svg);
    room.append(figure);
  }

  // A trend has the interval of each run, a line within one machine and version of Go,
  // and a mark where the level seems to change.
  function trend() {
    const room = at("trend");
    if (!room) return;
    const data = JSON.parse(at("data").textContent);
    const points = data.points.map(whole).filter(known).map(p => ({ ...p, when: new Date(p.when) }));
    if (!points.length) return;
    const changes = (data.changes || []).map(i => points.find(p => p.i === i)).filter(p => p);
    picture(room, {
      height: 300, ariaLabel: "times as fast as the base, over runs",
      x: { type: "utc", label: null }, y: { type: "log", grid: true, label: "times as fast as the base", ticks: ticks(points), tickFormat: "~g" },
      color: { scheme: "Observable10", domain: [...new Set(points.map(p => p.machine))] },
      marks: [
        Plot.ruleY([1], { stroke: "currentColor" }),
        Plot.ruleX(changes, { x: "when", stroke: "var(--open)", strokeWidth: 2, strokeDasharray: "4 3" }),
        Plot.ruleX(points, { x: "when", y1: "low", y2: "high", stroke: "machine", strokeOpacity: 0.6 }),
        Plot.line(points, { x: "when", y: "ratio", z: "kind", stroke: "machine" }),
        Plot.dot(points, { x: "when", y: "ratio", fill: "machine", r: 3, title: p => `${p.commit || p.run}: ${Number(p.ratio.toPrecision(3))}` }),
      ],
    });
  }

  // Two runs: a ring is the left one's ratio, a disc the right one's.
  function beside() {
    const room = at("beside");
    if (!room) return;
    const dots = (JSON.parse(at("data").textContent) || []).map(whole).filter(known);
    if (!dots.length) return;
    const names = [...new Set(dots.map(d => d.of))];
    picture(room, {
      height: 60 + 22 * names.length, marginLeft: room.clientWidth < 700 ? 150 : 340, ariaLabel: "ratios of two runs",
      x: { type: "log", grid: true, label: "times as fast as the base: ring left, disc right", ticks: 6, tickFormat: "~g" }, y: { label: null, domain: names, tickFormat: s => room.clientWidth < 700 ? end(s, 22) : end(s, 52) },
      marks: [
        Plot.ruleX([1], { stroke: "currentColor" }),
        Plot.ruleY(dots, { y: "of", x1: "low", x2: "high", stroke: "currentColor", strokeOpacity: 0.35 }),
        Plot.dot(dots, { y: "of", x: "ratio", r: d => d.left ? 6 : 3.5, stroke: "var(--accent)", fill: d => d.left ? "var(--ground)" : "var(--accent)" }),
      ],
    });
  }

  function live() {
    const progress = at("progress"), fresh = at("fresh");
    if (!progress && !fresh) return;
    const events = new EventSource("/events");
    events.addEventListener("progress", e => { if (progress) progress.textContent = e.data || "nothing is being measured"; });
    events.addEventListener("runs", () => {
      if (!fresh || fresh.firstChild) return;
      const a = document.createElement("a");
      a.href = "/";
      a.textContent = "there are other runs now: show them";
      fresh.append(a);
    });
    addEventListener("pagehide", () => events.close());
  }

  finder();
  trend();
  beside();
  live();
  document.documentElement.dataset.ready = "true";
})();

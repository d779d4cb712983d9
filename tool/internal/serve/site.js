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

  // A trend has the interval of each run, a line within one machine and version of Go,
  // and a mark where the level seems to change.
  function trend() {
    const room = at("trend");
    if (!room) return;
    const data = JSON.parse(at("data").textContent);
    const points = data.points.map((p, i) => ({ ...p, i, when: new Date(p.when), high: p.high || p.ratio * p.ratio / p.low })).filter(p => p.ratio > 0 && p.low > 0 && isFinite(p.high));
    if (!points.length) return;
    const changes = (data.changes || []).map(i => points.find(p => p.i === i)).filter(p => p);
    const svg = Plot.plot({
      className: "plot", width: 900, height: 300, marginRight: 60, style: null, ariaLabel: "times as fast as the base, over runs",
      x: { type: "utc", label: null }, y: { type: "log", grid: true, label: "times as fast as the base", ticks: 5, tickFormat: "~g" },
      color: { scheme: "Observable10", domain: [...new Set(points.map(p => p.machine))] },
      marks: [
        Plot.ruleY([1], { stroke: "currentColor" }),
        Plot.ruleX(changes, { x: "when", stroke: "var(--open)", strokeWidth: 2, strokeDasharray: "4 3" }),
        Plot.ruleX(points, { x: "when", y1: "low", y2: "high", stroke: "machine", strokeOpacity: 0.6 }),
        Plot.line(points, { x: "when", y: "ratio", z: "machine", stroke: "machine" }),
        Plot.dot(points, { x: "when", y: "ratio", fill: "machine", r: 3, title: p => `${p.commit || p.run}: ${Number(p.ratio.toPrecision(3))}` }),
      ],
    });
    svg.setAttribute("role", "img");
    for (const g of svg.querySelectorAll("[aria-label]")) g.removeAttribute("aria-label"); // the table tells the parts
    const figure = document.createElement("figure");
    figure.append(svg);
    room.append(figure);
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
  live();
  document.documentElement.dataset.ready = "true";
})();

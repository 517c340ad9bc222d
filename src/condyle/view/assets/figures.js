// A page of figures: every panel is a chart without a clock, put in the place its figure left for it.

document.querySelectorAll("[data-figure]").forEach((place) => {
  for (const panel of page.figures[Number(place.dataset.figure)]) place.append(new Chart(panel, null).host);
});

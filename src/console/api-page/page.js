const place = document.getElementById("reference");

SwaggerUIBundle({
  domNode: place,
  url: new URL(place.dataset.document, location.href).href,
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "model",
});

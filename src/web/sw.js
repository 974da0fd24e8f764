// Shows the turns of which the server tells.
"use strict";
addEventListener("push", (event) => {
  const { title, body, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag, icon: "/icon.png" }));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow("/me"));
});

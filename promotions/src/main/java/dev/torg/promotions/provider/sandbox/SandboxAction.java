package dev.torg.promotions.provider.sandbox;

/// What a person does on the page.
public enum SandboxAction {
  PAY,
  DECLINE
}

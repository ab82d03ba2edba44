"""What a case of a probe says about its harness; pure."""
